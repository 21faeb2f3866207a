/** The kinds of Argo Events that the API passes through: whoever installed their definitions has them here, too. */
import type { Resource } from "../../lib/kube/mod.ts";

/** A kind of Argo Events, as its routes name it. */
export interface EventKind {
  readonly resource: Resource;
  /** The segment of its paths. */
  readonly path: string;
  /** The service in the ids of operations, and the end of those that are about many. */
  readonly service: string;
  readonly many: string;
  /** The field of bodies that holds the object, and the refusal of a body without it. */
  readonly field: string;
  readonly missing: string;
  /** The label of its pods that holds its name. */
  readonly label: string;
  /** The fields of an entry of its logs that a request may ask for, beside the name, each with the field of the query. */
  readonly nameField: string;
  readonly chosenBy: readonly string[];
}

function resource(plural: string, kind: string): Resource {
  return { group: "argoproj.io", version: "v1alpha1", plural, kind, namespaced: true };
}

export const EVENT_KINDS: readonly EventKind[] = [
  {
    resource: resource("eventsources", "EventSource"),
    path: "event-sources",
    service: "EventSourceService",
    many: "EventSources",
    field: "eventSource",
    missing: "event source was not found in the request body",
    label: "eventsource-name",
    nameField: "eventSourceName",
    chosenBy: ["eventSourceType", "eventName"],
  },
  {
    resource: resource("sensors", "Sensor"),
    path: "sensors",
    service: "SensorService",
    many: "Sensors",
    field: "sensor",
    missing: "sensor was not found in the request body",
    label: "sensor-name",
    nameField: "sensorName",
    chosenBy: ["triggerName"],
  },
];

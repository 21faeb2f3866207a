/** The kinds of Argo Events that the API serves if their CRDs are installed. */
import type { Resource } from "@tiphys/kube";

/** A kind of Argo Events, with the names that its routes use. */
export interface EventKind {
  readonly resource: Resource;
  /** The segment in its paths. */
  readonly path: string;
  /** The service in operation IDs, and the plural in those of lists. */
  readonly service: string;
  readonly many: string;
  /** The field of request bodies that contains the object, and the error message without it. */
  readonly field: string;
  readonly missing: string;
  /** The label of its pods that contains its name. */
  readonly label: string;
  /**
   * The field of log entries that contains the name, and the fields that a request can filter by; each is also the
   * query parameter.
   */
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

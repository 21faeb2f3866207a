/** Kubernetes Event objects about an object. */
import { API_VERSION } from "@tiphys/base/constants";
import type { HasMetadata } from "@tiphys/kube/object";
import { timeText } from "@tiphys/model/status";

/** The maximum length of a message that the API server accepts. */
const MAX_MESSAGE = 1024;

/** The metadata of the object that an event is about. The object itself may be invalid. */
export type Subject = Required<HasMetadata>;

/** The type, reason and message of an event. */
export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** A pod in the namespace of the subject. If present, the event is about it instead of the subject. */
  readonly pod?: { readonly name: string; readonly uid?: string | undefined };
}

/** An Event object to create. */
export type NewEvent = ReturnType<typeof eventOf>;

/** The maximum length of an object's name. */
const MAX_NAME_LENGTH = 253;
const HEX_DIGITS = 16;

/**
 * The name of an event in the format of client-go: names of events of one object sort by time, in nanoseconds since
 * 1970.
 */
export function eventName(object: string, nanos: bigint): string {
  let length = Math.min(object.length, MAX_NAME_LENGTH - HEX_DIGITS - 1);
  while (length > 0 && "-.".includes(object[length - 1]!)) length--;
  return `${object.slice(0, length)}.${nanos.toString(16).padStart(HEX_DIGITS, "0")}`;
}

/** Builds the Event object about an object of a kind. */
export function eventOf(kind: string, subject: Subject, event: EventText, eventTime: Date, ownName: string) {
  const { namespace, ...metadata } = subject.metadata;
  const { name, uid, resourceVersion } = event.pod ? { ...event.pod, resourceVersion: undefined } : metadata;
  const involved = event.pod ? { apiVersion: "v1", kind: "Pod" } : { apiVersion: API_VERSION, kind };
  const time = timeText(eventTime);
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name: ownName,
      namespace,
      ...(event.annotations ? { annotations: event.annotations } : {}),
    },
    involvedObject: { ...involved, name, namespace, uid, resourceVersion },
    reason: event.reason,
    message: event.message.slice(0, MAX_MESSAGE),
    type: event.type,
    source: { component: "workflow-controller" },
    reportingComponent: "workflow-controller",
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
}

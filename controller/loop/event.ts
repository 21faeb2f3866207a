/** The Event objects that tell people about an object. */
import { API_VERSION } from "@tiphys/base/constants";
import type { HasMetadata } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";

/** The longest message that the API server takes. */
const MAX_MESSAGE = 1024;

/** The object that an event is about, as far as it says so: it may be one that cannot be read. */
export type Subject = Required<HasMetadata>;

/** The type, reason and message of an event. */
export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The pod of the subject's namespace that the event is about in place of the subject. */
  readonly pod?: { readonly name: string; readonly uid?: string | undefined };
}

/** An Event object that is to be created. */
export type NewEvent = ReturnType<typeof eventOf>;

/** The longest name of an object. */
const LONGEST_NAME = 253;
const HEX_DIGITS = 16;

/** The name of an event as client-go makes it: names of the same object sort by time, in nanoseconds since 1970. */
export function eventName(object: string, nanos: bigint): string {
  let length = Math.min(object.length, LONGEST_NAME - HEX_DIGITS - 1);
  while (length > 0 && "-.".includes(object[length - 1]!)) length--;
  return `${object.slice(0, length)}.${nanos.toString(16).padStart(HEX_DIGITS, "0")}`;
}

/** The Event object about an object of one of our kinds. */
export function eventOf(kind: string, subject: Subject, event: EventText, at: Date, ownName: string) {
  const { namespace, ...metadata } = subject.metadata;
  const { name, uid, resourceVersion } = event.pod ? { ...event.pod, resourceVersion: undefined } : metadata;
  const involved = event.pod ? { apiVersion: "v1", kind: "Pod" } : { apiVersion: API_VERSION, kind };
  const time = timeText(at);
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

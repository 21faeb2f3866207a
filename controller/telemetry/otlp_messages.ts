/** Encodes the requests of OTLP, whose messages are in `schema/otlp.proto`. */
import { messageTypes } from "@tiphys/proto/message_type";
import { writeMessage } from "@tiphys/proto/write_message";
import { OTLP } from "./gen/otlp.ts";

const MESSAGES = messageTypes(OTLP);

/** The names of the requests by signal. */
const REQUESTS = { metrics: "otlp.ExportMetricsServiceRequest", traces: "otlp.ExportTraceServiceRequest" } as const;

/** Encodes a request from its JSON. */
export function requestBytes(signal: keyof typeof REQUESTS, json: object): Uint8Array<ArrayBuffer> {
  return writeMessage(messageOf(REQUESTS[signal]), json);
}

function messageOf(name: string) {
  const message = MESSAGES.get(name);
  if (!message) throw new Error(`Unknown message type ${name}`);
  return message;
}

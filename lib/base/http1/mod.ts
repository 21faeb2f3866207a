/**
 * HTTP/1.1 messages as bytes: formats the head of a request; parses the head and body of a response, within limits. It
 * opens no connection: `lib/kube/http` (API server, short requests) and `lib/base/net` (artifacts, streams) do.
 *
 * - `arrivals.ts`: the interface to a connection; `message_error.ts`: errors of invalid responses;
 * - `answer_head.ts`: status line and headers; `body.ts`: the three kinds of bodies;
 * - `line_reader.ts`: the lines between the chunks of a body; `latin1.ts`: bytes of a head as text;
 * - `request_head.ts`: the request line and headers.
 */
export { readResponseHead, type ResponseHead } from "./answer_head.ts";
export type { Bytes, ByteSource } from "./arrivals.ts";
export { Body, type Framing, framingOf } from "./body.ts";
export { MessageError, NoResponseError } from "./message_error.ts";
export { type RequestHead, requestHead } from "./request_head.ts";

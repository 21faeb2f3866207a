/**
 * Messages of HTTP/1.1 as bytes: the head of a request written, the head and the body of an answer read, each within
 * bounds. It opens no connection: `lib/kube/http` (an API server, short requests) and `lib/base/net` (artifacts, streams) do,
 * each in its own way.
 *
 * - `arrivals.ts`: what a reader asks of a connection; `message_error.ts`: what can be wrong with what came;
 * - `answer_head.ts`: status line and headers; `body.ts`: the three ways in which a body comes;
 * - `line_reader.ts`: the lines between the chunks of a body; `latin1.ts`: bytes of a head as text;
 * - `request_head.ts`: the first lines of a request.
 */
export { type AnswerHead, readAnswerHead } from "./answer_head.ts";
export type { Arrivals, Bytes } from "./arrivals.ts";
export { Body, type Framing, framingOf } from "./body.ts";
export { MessageError, NoAnswer } from "./message_error.ts";
export { type RequestHead, requestHead } from "./request_head.ts";

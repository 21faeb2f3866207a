/**
 * HTTP/1.1 to an API server over connections of our own: a third of the CPU time that `fetch` takes for a request
 * (docs/performance.md). It knows nothing of Kubernetes; `../transport.ts` alone uses it, and asks `fetch` where a proxy is in
 * the way. Messages are read and written by `lib/http1`.
 *
 * - `connections.ts`: those that are kept, and one exchange on one of them;
 * - `connection.ts`: one of them: TCP, TLS, bytes to and fro;
 * - `answer.ts`: an answer and its body.
 */
export type { Answer, AnswerHeaders } from "./answer.ts";
export { Connections } from "./connections.ts";

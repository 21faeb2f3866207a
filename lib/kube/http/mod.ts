/**
 * HTTP/1.1 to an API server over our own connections: a third of the CPU time of `fetch` for each request
 * (docs/decisions/004-own-http-connections.md). Independent of Kubernetes; only `../transport.ts` uses it, and falls back to
 * `fetch` if a proxy is configured. `lib/http1` reads and writes messages.
 *
 * - `connections.ts`: those that are kept, and one exchange on one of them;
 * - `connection.ts`: one of them: TCP, TLS, bytes to and fro;
 * - `answer.ts`: an answer and its body.
 */
export type { Answer, AnswerHeaders } from "./answer.ts";
export { Connections } from "./connections.ts";

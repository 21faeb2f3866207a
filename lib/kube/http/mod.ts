/**
 * HTTP/1.1 to an API server over our own connections, which takes a third of the CPU time of `fetch` for each request
 * (docs/decisions/004-own-http-connections.md). Independent of Kubernetes; only `../transport.ts` uses it, and falls
 * back to `fetch` if a proxy is configured. `lib/base/http1` reads and writes messages.
 *
 * - `connections.ts`: the pool, and one exchange on a connection;
 * - `connection.ts`: one connection over TCP or TLS;
 * - `answer.ts`: a response and its body.
 */
export type { ResponseHeaders, TransportResponse } from "./answer.ts";
export { Connections } from "./connections.ts";

/** Headers that every answer has, whatever it is: who else may read it in a browser, and that browsers come over TLS. */
import type { Handler } from "./handler.ts";

/** The settings of the headers. */
export interface AnswerHeaders {
  /** The origin whose pages may use the API. */
  readonly allowedOrigin?: string | undefined;
  /** Whether browsers are asked to come over TLS only, which is asked over TLS alone. */
  readonly asksForTls: boolean;
}

const YEAR_SECONDS = 31_536_000;
const METHODS = "POST, GET, OPTIONS, PUT, DELETE";
const HEADERS = "Content-Type, Authorization";

/** The handler whose answers have the headers; a browser that asks before it sends is answered here. */
export function withAnswerHeaders(handler: Handler, { allowedOrigin, asksForTls }: AnswerHeaders): Handler {
  return async (request, peer) => {
    const isQuestion = allowedOrigin !== undefined && request.method === "OPTIONS";
    const response = isQuestion ? new Response(null, { status: 204 }) : await handler(request, peer);
    if (isQuestion) request.body?.cancel().catch(() => {});
    if (allowedOrigin !== undefined) {
      response.headers.set("access-control-allow-origin", allowedOrigin);
      response.headers.set("access-control-allow-credentials", "true");
      if (allowedOrigin !== "*") response.headers.append("vary", "origin");
      if (isQuestion) {
        response.headers.set("access-control-allow-methods", METHODS);
        response.headers.set("access-control-allow-headers", HEADERS);
      }
    }
    if (asksForTls) response.headers.set("strict-transport-security", `max-age=${YEAR_SECONDS}`);
    return response;
  };
}

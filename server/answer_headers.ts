/** Headers of every response: CORS, and HSTS (HTTPS only). */
import type { Handler } from "./wire/peer.ts";

/** The settings of the headers. */
export interface AnswerHeaders {
  /** The origin whose pages may use the API. */
  readonly allowedOrigin?: string | undefined;
  /** Whether to send HSTS. Set it only if the server is reached over TLS. */
  readonly usesHsts: boolean;
}

const YEAR_SECONDS = 31_536_000;
const METHODS = "POST, GET, OPTIONS, PUT, DELETE";
const HEADERS = "Content-Type, Authorization";

/** Wraps a handler so that its responses have the headers, and answers CORS preflight requests. */
export function withAnswerHeaders(handler: Handler, { allowedOrigin, usesHsts }: AnswerHeaders): Handler {
  return async (request, peer) => {
    const isPreflight = allowedOrigin !== undefined && request.method === "OPTIONS";
    const response = isPreflight ? new Response(null, { status: 204 }) : await handler(request, peer);
    if (isPreflight) request.body?.cancel().catch(() => {});
    if (allowedOrigin !== undefined) {
      response.headers.set("access-control-allow-origin", allowedOrigin);
      response.headers.set("access-control-allow-credentials", "true");
      if (allowedOrigin !== "*") response.headers.append("vary", "origin");
      if (isPreflight) {
        response.headers.set("access-control-allow-methods", METHODS);
        response.headers.set("access-control-allow-headers", HEADERS);
      }
    }
    if (usesHsts) response.headers.set("strict-transport-security", `max-age=${YEAR_SECONDS}`);
    return response;
  };
}

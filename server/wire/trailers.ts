/** Trailers of responses: the web's responses have none, and gRPC says in them how a call ended. */

const TRAILERS = new WeakMap<Response, () => Headers>();

/** The response with trailers, which are asked for when its body is over. */
export function withTrailers(response: Response, trailers: () => Headers): Response {
  TRAILERS.set(response, trailers);
  return response;
}

/** The trailers of a response; undefined for one without any. */
export function trailersOf(response: Response): (() => Headers) | undefined {
  return TRAILERS.get(response);
}

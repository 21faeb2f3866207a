/** Trailers of responses. Web responses do not have them, but gRPC sends the status of a call in them. */

const TRAILERS = new WeakMap<Response, () => Headers>();

/** Adds trailers to a response. The function is called at the end of its body. */
export function withTrailers(response: Response, trailers: () => Headers): Response {
  TRAILERS.set(response, trailers);
  return response;
}

/** The trailers of a response; undefined for a response without trailers. */
export function trailersOf(response: Response): (() => Headers) | undefined {
  return TRAILERS.get(response);
}

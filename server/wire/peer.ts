/** A server as a function from requests to responses, and the client of a request. */

/** The client of a connection. */
export interface Peer {
  readonly address: string;
  /** Whether the connection uses HTTP/2, which gRPC requires. */
  readonly isHttp2?: boolean;
}

/** A server without a network. */
export type Handler = (request: Request, peer: Peer) => Promise<Response>;

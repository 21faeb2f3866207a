/** The request handler of the server, and the client of a request. */

/** The client of a connection. */
export interface Peer {
  readonly address: string;
  /** Whether the connection uses HTTP/2, which gRPC requires. */
  readonly isHttp2?: boolean;
}

/** Handles a request. Tests call it without opening a port. */
export type Handler = (request: Request, peer: Peer) => Promise<Response>;

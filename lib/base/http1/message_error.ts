/** Errors of invalid responses. */

/** The error of an incomplete or invalid HTTP/1.1 response. The message follows the name of the server and a colon. */
export class MessageError extends Error {
  override readonly name: string = "MessageError";

  /** `isCut`: the connection ended early, so a retry on another connection may succeed. */
  constructor(message: string, readonly isTruncated: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The error of a connection that ended, or failed with `cause`, before the first byte of a response. */
export class NoResponseError extends MessageError {
  override readonly name = "NoResponseError";

  constructor(options?: ErrorOptions) {
    const { cause } = options ?? {};
    const words = cause === undefined
      ? "it closed the connection without a response"
      : cause instanceof Error
      ? cause.message
      : String(cause);
    super(words, true, options);
  }
}

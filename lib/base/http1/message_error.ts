/** Answers that cannot be read. */

/** The error of an answer that breaks off or is no HTTP/1.1: words behind the name of its server, and a colon. */
export class MessageError extends Error {
  override readonly name: string = "MessageError";

  /** `isCut`: the connection ended too early, so another one may bring the whole answer. */
  constructor(message: string, readonly isCut: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The connection ended, or failed for its `cause`, before a byte of an answer came. */
export class NoAnswer extends MessageError {
  override readonly name = "NoAnswer";

  constructor(options?: ErrorOptions) {
    const { cause } = options ?? {};
    const words = cause === undefined
      ? "it closed the connection without an answer"
      : cause instanceof Error
      ? cause.message
      : String(cause);
    super(words, true, options);
  }
}

/** Messages of transient errors. */

/** A compiled pattern; `test` is unanchored. */
export interface TextPattern {
  test(text: string): boolean;
}

const transientMessages = [
  "etcdserver: leader changed",
  "etcdserver: request timed out",
  "etcdserver: too many requests",
  "unexpected EOF",
  "unexpected error when reading response body",
  "stream error when reading response body",
  "Connection closed by foreign host",
  "TLS handshake timeout",
  "i/o timeout",
  "connection timed out",
  "connection reset by peer",
  "connection refused",
  "http2: client connection lost",
  "http2: server sent GOAWAY and closed the connection",
  "request did not complete within requested timeout",
  "client rate limiter Wait returned an error",
  "invalid connection",
  "upper: no more rows in",
  "failed calling webhook",
];

/** Whether a message, for example that of a node, describes a transient error. */
export function isTransientMessage(message: string, transientPattern?: TextPattern): boolean {
  return transientPattern?.test(message) === true || transientMessages.some((text) => message.includes(text));
}

/** What can go wrong at the API, and the one function that sorts it. */

/** Details of a Kubernetes Status object. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  retryAfterSeconds?: number;
  causes?: { reason?: string; message?: string; field?: string }[];
}

/** A refusal or a failure as the API describes it. */
export interface KubeStatus {
  apiVersion?: string;
  kind?: "Status";
  metadata?: Record<string, unknown>;
  status?: "Success" | "Failure";
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/**
 * A request that did not succeed. `status` is the HTTP code, or 0 when no answer came (then `cause` is the network's
 * error). The message is the server's own; it never holds credentials.
 */
export class KubeError extends Error {
  override readonly name = "KubeError";
  readonly status: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;

  constructor(
    message: string,
    options: { status: number; reason?: string; details?: StatusDetails | undefined; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.reason = options.reason ?? "";
    this.details = options.details;
  }

  /** The error for a Status object, as it comes in an answer's body or in a watch. */
  static fromStatus(status: KubeStatus, code = status.code ?? 500): KubeError {
    return new KubeError(status.message || status.reason || `The API server answered ${code}`, {
      status: code,
      reason: status.reason ?? "",
      details: status.details,
    });
  }
}

/** What a caller should do about an error; see sortError(). */
export type ErrorSort =
  | "transient" // the world's trouble: back off and try again
  | "conflict" // somebody else wrote first: read again, then decide again
  | "notFound" // gone: a fact to record
  | "alreadyExists" // there already: success, if it is ours
  | "forbidden" // refused: a fact to record
  | "invalid" // the request itself is wrong: the user's mistake, never retried
  | "fatal"; // anything else: loud

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

/** Whether a text speaks of trouble that passes; for messages that outlived their error, such as a node's. */
export function isTransientMessage(message: string, transientPattern?: RegExp): boolean {
  return transientPattern?.test(message) === true || transientMessages.some((text) => message.includes(text));
}

/**
 * Sorts whatever a request threw. A message that matches `transientPattern` (the TRANSIENT_ERROR_PATTERN of the
 * program, which reads it once and hands it in) is transient whatever else it is.
 */
export function sortError(error: unknown, transientPattern?: RegExp): ErrorSort {
  const message = messageOf(error);
  if (isTransientMessage(message, transientPattern)) return "transient";
  if (!(error instanceof KubeError)) return isNetworkError(error) ? "transient" : "fatal";
  switch (error.status) {
    case 0:
    case 408:
    case 429:
    case 502:
    case 503:
    case 504:
      return "transient";
    case 500:
      if (error.reason === "ServerTimeout" || error.reason === "Timeout") return "transient";
      return message.includes("resource quota evaluation timed out") ? "transient" : "fatal";
    case 401:
      return "forbidden";
    case 403:
      return message.includes("exceeded quota") ? "transient" : "forbidden";
    case 404:
      return "notFound";
    case 409:
      if (error.reason === "AlreadyExists") return "alreadyExists";
      return message.includes("Operation cannot be fulfilled on resourcequota") ? "transient" : "conflict";
    case 410: // the resourceVersion or continue token is too old: ask anew
      return "transient";
    case 400:
    case 405:
    case 406:
    case 413:
    case 415:
    case 422:
      return "invalid";
    default:
      return "fatal";
  }
}

/** Whether an error is the end of a signal rather than of the request. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && (error.name === "AbortError" || error.name === "TimeoutError");
}

function isNetworkError(error: unknown): boolean {
  if (error instanceof TypeError && /fetch failed|error sending request|error reading a body/.test(error.message)) {
    return true;
  }
  return error instanceof Deno.errors.ConnectionRefused ||
    error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.ConnectionAborted ||
    error instanceof Deno.errors.NotConnected ||
    error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.UnexpectedEof ||
    error instanceof Deno.errors.TimedOut ||
    error instanceof Deno.errors.Http;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${messageOf(error.cause)}` : error.message;
}

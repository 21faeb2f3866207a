/** Errors of the API, and their classification. */
import { isConnectionError } from "@tiphys/base/connection_error";
import { type Fields, fieldsOf, isObject, textsIn } from "@tiphys/base/fields_of";
import { isTransientMessage, type TextPattern } from "@tiphys/base/transient";

/** Details of a Kubernetes Status object. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  retryAfterSeconds?: number;
  causes?: { reason?: string; message?: string; field?: string }[];
}

/** A Status object of the API, which describes an error. */
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

/** Reads a Status. Fields of the wrong type are omitted. */
export function readStatus(value: unknown): KubeStatus {
  const fields = fieldsOf(value);
  const { kind, status, code, details } = fields;
  return {
    ...(kind === "Status" ? { kind } : {}),
    ...(status === "Success" || status === "Failure" ? { status } : {}),
    ...textsIn(fields, ["message", "reason"]),
    ...(typeof code === "number" ? { code } : {}),
    ...(isObject(details) ? { details: readDetails(details) } : {}),
  };
}

function readDetails(fields: Readonly<Fields>): StatusDetails {
  const { retryAfterSeconds, causes } = fields;
  return {
    ...textsIn(fields, ["name", "group", "kind", "uid"]),
    ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
    ...(Array.isArray(causes)
      ? { causes: causes.map((cause) => textsIn(fieldsOf(cause), ["reason", "message", "field"])) }
      : {}),
  };
}

/**
 * A failed request. `status` is the HTTP code, or 0 when there was no response (`cause` is then the network error). The
 * message is the server's. It never contains credentials.
 */
export class KubeError extends Error {
  override readonly name = "KubeError";
  readonly status: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** Whether the operator's pattern declares an error with this message to be transient, whatever its code. */
  readonly isKnownTransient: boolean;

  constructor(message: string, options: KubeErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.reason = options.reason ?? "";
    this.details = options.details;
    this.isKnownTransient = options.transientPattern?.test(message) === true;
  }

  /** Returns the error for a Status object, which comes in a response body or a watch. */
  static fromStatus(status: KubeStatus, code = status.code ?? 500, transientPattern?: TextPattern): KubeError {
    return new KubeError(status.message || status.reason || `The API server answered ${code}`, {
      status: code,
      reason: status.reason ?? "",
      details: status.details,
      transientPattern,
    });
  }
}

/** The details of a failed request. */
export interface KubeErrorOptions {
  readonly status: number;
  readonly reason?: string;
  readonly details?: StatusDetails | undefined;
  readonly cause?: unknown;
  readonly transientPattern?: TextPattern | undefined;
}

/** The class of an error, by the reaction that it requires. See classifyError(). */
export type ErrorClass =
  | "transient" // a temporary problem: back off and retry
  | "conflict" // somebody else wrote first: read again, then decide again
  | "notFound" // the object does not exist: a fact to record
  | "alreadyExists" // the object exists already: success if it is ours
  | "forbidden" // the caller is not authorized: may be granted later, so it can be retried
  | "invalid" // the request is wrong, or not allowed for any user: the user's mistake, never retried
  | "fatal"; // any other error, which is reported loudly

/** Classifies an error of a request. */
export function classifyError(error: unknown): ErrorClass {
  const message = messageOf(error);
  if (isTooLarge(error, message)) return "invalid";
  // The message of a rejection may quote any part of the object, including texts that look like transient errors.
  const isRefused = error instanceof KubeError && REJECTION_CODES.has(error.status);
  if (!isRefused && isTransientMessage(message)) return "transient";
  if (!(error instanceof KubeError)) return isNetworkError(error) || isTimeout(error) ? "transient" : "fatal";
  if (error.isKnownTransient) return "transient";
  switch (error.status) {
    case 0:
    case 408:
    case 410: // the resourceVersion or continue token is too old: list again
    case 425:
    case 429:
      return "transient";
    case 401:
      return "forbidden";
    case 403:
      if (message.includes("exceeded quota")) return "transient";
      return isAboutObject(message) ? "invalid" : "forbidden";
    case 404:
      return "notFound";
    case 409:
      if (error.reason === "AlreadyExists") return "alreadyExists";
      return message.includes("Operation cannot be fulfilled on resourcequota") ? "transient" : "conflict";
    case 400:
    case 405:
    case 406:
    case 413:
    case 415:
    case 422:
      return "invalid";
    case 501:
      return "fatal";
    default:
      // Codes 500 to 599 are problems of the server; the request may be valid.
      return error.status >= 500 ? "transient" : "fatal";
  }
}

/** Codes of requests that are rejected for their content. */
const REJECTION_CODES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Whether etcd rejected an object for its size. Some servers report this as an internal error. */
function isTooLarge(error: unknown, message: string): boolean {
  return error instanceof KubeError && message.includes("etcdserver: request is too large");
}

/**
 * Whether the same request may succeed later: after a temporary problem, after another write, or when the caller has
 * been authorized.
 */
export function isRetryable(error: unknown): boolean {
  const sort = classifyError(error);
  return sort === "transient" || sort === "conflict" || sort === "forbidden";
}

/**
 * Whether an error is a bug of ours, not a response of a server or a problem of the environment: one of JavaScript's
 * own error classes, except for network errors, which use some of them. Rejections are never bugs, whatever their
 * message.
 */
export function isBug(error: unknown): boolean {
  if (classifyError(error) !== "fatal") return false;
  return BUG_CLASSES.some((kind) => error instanceof kind);
}

/**
 * Rethrows an error that is a bug, so that it is not treated as a rejection.
 * @throws the error itself when it is a bug.
 */
export function throwBug(error: unknown): void {
  if (isBug(error)) throw error;
}

/** Does not include `SyntaxError`, which parsing of untrusted text throws. */
const BUG_CLASSES = [TypeError, RangeError, ReferenceError, EvalError, URIError];

/**
 * Whether admission rejected the object, and not the caller's roles. Messages about roles are `User "..." cannot ...`.
 */
function isAboutObject(message: string): boolean {
  const webhook = message.indexOf('admission webhook "');
  if (webhook >= 0 && message.includes('" denied the request', webhook)) return true;
  return message.includes(" is forbidden: ") && !message.includes(" is forbidden: User ");
}

/** Whether an error comes from an aborted signal rather than from the request. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && (error.name === "AbortError" || error.name === "TimeoutError");
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

function isNetworkError(error: unknown): boolean {
  if (error instanceof TypeError && /fetch failed|error sending request|error reading a body/.test(error.message)) {
    return true;
  }
  return isConnectionError(error) || error instanceof Deno.errors.NotConnected || error instanceof Deno.errors.Http;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${messageOf(error.cause)}` : error.message;
}

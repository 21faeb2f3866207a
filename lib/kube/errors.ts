/** Errors of the API, and the one function that sorts them. */
import { isConnectionError } from "../connection_error.ts";
import { type Fields, fieldsOf, isObject, textsIn } from "../fields_of.ts";
import { isTransientMessage, type TextPattern } from "./transient.ts";

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

/** Reads a Status; what it has of another type than it should have is left out. */
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
 * A request that did not succeed. `status` is the HTTP code, or 0 when no answer came (then `cause` is the network's
 * error). The message is the server's own; it never holds credentials.
 */
export class KubeError extends Error {
  override readonly name = "KubeError";
  readonly status: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** The operator says that an error with this message passes, whatever its code. */
  readonly isKnownToPass: boolean;

  constructor(message: string, options: KubeErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.reason = options.reason ?? "";
    this.details = options.details;
    this.isKnownToPass = options.transientPattern?.test(message) === true;
  }

  /** The error for a Status object, as it comes in an answer's body or in a watch. */
  static fromStatus(status: KubeStatus, code = status.code ?? 500, transientPattern?: TextPattern): KubeError {
    return new KubeError(status.message || status.reason || `The API server answered ${code}`, {
      status: code,
      reason: status.reason ?? "",
      details: status.details,
      transientPattern,
    });
  }
}

/** Facts about a request that did not succeed. */
export interface KubeErrorOptions {
  readonly status: number;
  readonly reason?: string;
  readonly details?: StatusDetails | undefined;
  readonly cause?: unknown;
  readonly transientPattern?: TextPattern | undefined;
}

/** The sort of an error, by what a caller should do about it; see sortError(). */
export type ErrorSort =
  | "transient" // the world's trouble: back off and try again
  | "conflict" // somebody else wrote first: read again, then decide again
  | "notFound" // gone: a fact to record
  | "alreadyExists" // there already: success, if it is ours
  | "forbidden" // who asks has no right to: it may be granted, so it can be asked again
  | "invalid" // what was asked is wrong, or not allowed here whoever asks: the user's mistake, never retried
  | "fatal"; // anything else: loud

/** Sorts whatever a request threw. */
export function sortError(error: unknown): ErrorSort {
  const message = messageOf(error);
  if (isTooLarge(error, message)) return "invalid";
  // The message of a refusal may quote anything of the object, also words that sound like trouble that passes.
  const isRefused = error instanceof KubeError && REFUSALS.has(error.status);
  if (!isRefused && isTransientMessage(message)) return "transient";
  if (!(error instanceof KubeError)) return isNetworkError(error) || isTimeout(error) ? "transient" : "fatal";
  if (error.isKnownToPass) return "transient";
  switch (error.status) {
    case 0:
    case 408:
    case 410: // the resourceVersion or continue token is too old: ask anew
    case 425:
    case 429:
      return "transient";
    case 401:
      return "forbidden";
    case 403:
      if (message.includes("exceeded quota")) return "transient";
      return isAboutTheObject(message) ? "invalid" : "forbidden";
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
      // Codes 500 to 599 are the server's own troubles: the request may be right.
      return error.status >= 500 ? "transient" : "fatal";
  }
}

/** The codes by which a request is refused for what it holds. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

/** The etcd behind a server takes no object of this size; some servers say so as their own trouble. */
function isTooLarge(error: unknown, message: string): boolean {
  return error instanceof KubeError && message.includes("etcdserver: request is too large");
}

/**
 * Whether the request may succeed as it is when it is made again later: after trouble of the world, after another write,
 * or when who asks was given the right to.
 */
export function mayPass(error: unknown): boolean {
  const sort = sortError(error);
  return sort === "transient" || sort === "conflict" || sort === "forbidden";
}

/**
 * Whether an error is a mistake of ours, and nothing that a server or the world answered: one of the kinds that the
 * language itself throws, and not of the network, whose troubles some of these are. Never a refusal, whatever it says.
 */
export function isDefect(error: unknown): boolean {
  if (sortError(error) !== "fatal") return false;
  return DEFECTS.some((kind) => error instanceof kind);
}

/** Keeps a defect from becoming a refusal. @throws the error itself where it is a defect. */
export function throwDefect(error: unknown): void {
  if (isDefect(error)) throw error;
}

/** No `SyntaxError`: that is what reading somebody's text throws. */
const DEFECTS = [TypeError, RangeError, ReferenceError, EvalError, URIError];

/** Whether admission refused the object itself, and not roles its caller: those say `User "..." cannot ...`. */
function isAboutTheObject(message: string): boolean {
  const webhook = message.indexOf('admission webhook "');
  if (webhook >= 0 && message.includes('" denied the request', webhook)) return true;
  return message.includes(" is forbidden: ") && !message.includes(" is forbidden: User ");
}

/** Whether an error is the end of a signal rather than of the request. */
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

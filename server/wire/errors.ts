/** Errors in the form of Argo's clients: a gRPC code, its HTTP status, and a message for the caller. */
import { KubeError } from "@tiphys/kube";
import { TextWorkerError } from "@tiphys/language/text_worker";
import { UserError } from "@tiphys/base/user_error";
import { ActionError } from "@tiphys/engine/workflow_actions";

/** The gRPC codes. */
export const CODE = {
  ok: 0,
  canceled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/** A gRPC code. */
export type Code = typeof CODE[keyof typeof CODE];

/** The HTTP status of each code, by its number. */
const HTTP_STATUS: readonly number[] = [
  200,
  408,
  500,
  400,
  504,
  404,
  409,
  403,
  429,
  400,
  409,
  400,
  501,
  500,
  503,
  500,
  401,
];

/** A refused or failed request, with a message for the caller. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: Code;
  /** The HTTP status if it differs from that of the code: a body that is too large has 413. */
  readonly #status: number | undefined;

  constructor(code: Code, message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.#status = options.status;
  }

  /** The HTTP status of the response. */
  get status(): number {
    return this.#status ?? HTTP_STATUS[this.code] ?? 500;
  }
}

/** Returns the error of an invalid request. */
export function badRequest(message: string): WireError {
  return new WireError(CODE.invalidArgument, message);
}

/** The code for an HTTP status of Kubernetes. 0 means that there was no response. */
function codeOfStatus(status: number): Code {
  switch (status) {
    case 0:
      return CODE.unavailable;
    case 400:
      return CODE.invalidArgument;
    case 401:
      return CODE.unauthenticated;
    case 403:
      return CODE.permissionDenied;
    case 404:
      return CODE.notFound;
    case 408:
      return CODE.canceled;
    case 409:
      return CODE.alreadyExists;
    case 429:
      return CODE.resourceExhausted;
    case 501:
      return CODE.unimplemented;
    case 503:
      return CODE.unavailable;
    case 504:
      return CODE.deadlineExceeded;
    default:
      return status >= 400 && status < 500 ? CODE.invalidArgument : CODE.internal;
  }
}

/**
 * Converts an error of a handler. An error that is neither a refusal by the cluster nor a mistake of the caller is a
 * defect of the server: the caller only receives a general message, and `onDefect` the error.
 */
export function wireErrorOf(error: unknown, onDefect: (error: unknown) => void): WireError {
  if (error instanceof WireError) return error;
  if (error instanceof KubeError) return new WireError(codeOfStatus(error.status), error.message, { cause: error });
  if (error instanceof ActionError || error instanceof UserError) {
    return new WireError(CODE.invalidArgument, error.message, { cause: error });
  }
  if (error instanceof TextWorkerError && error.kind !== "failed") {
    const code = error.kind === "late" ? CODE.deadlineExceeded : CODE.resourceExhausted;
    return new WireError(code, `the object cannot be checked: ${error.message}`, { cause: error });
  }
  // The client has disconnected, or the time limit of the request was reached.
  if (error instanceof DOMException && error.name === "AbortError") {
    return new WireError(CODE.canceled, "the request ended before its response", { cause: error });
  }
  onDefect(error);
  return new WireError(CODE.internal, "internal error: see the server's log", { cause: error });
}

/** The body of an error response. */
export function errorBody({ code, message }: WireError): string {
  return JSON.stringify({ code, message });
}

/** The error message at the end of a stream. */
export function streamError({ code, message, status }: WireError): Record<string, unknown> {
  return { error: { grpc_code: code, http_code: status, message, http_status: STATUS_TEXT[status] ?? "" } };
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict",
  413: "Request Entity Too Large",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

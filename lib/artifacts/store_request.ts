/** Sends requests of drivers to stores, and converts failures to errors of the matching kind. */
import { parseJson } from "@tiphys/base/bounded_json";
import { textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { type Bytes, type HttpRequest, type HttpResponse, type Net, NetError, tapStream } from "@tiphys/base/net";
import { StoreError, type StoreErrorKind } from "@tiphys/model/artifact";

/** Maximum delay requested by a store that is honored. */
export const MAX_RETRY_AFTER_MILLIS = 60_000;

/** Maximum number of bytes of an error body that are read. */
const ERROR_BYTES = 64 * 1024;
/** Maximum number of characters of an error body that are shown. */
const SHOWN_CHARACTERS = 300;

/**
 * Sends a request. Failures, including those of the response body, become store errors that begin with `operation`.
 * @throws {StoreError} `transient` or `final` when there is no response.
 */
export async function send(net: Net, request: HttpRequest, operation: string): Promise<HttpResponse> {
  const { stop } = request;
  const answer = await translateErrors(() => net.send(request), operation, stop);
  let body: ReadableStream<Bytes> | undefined;
  return {
    status: answer.status,
    headers: answer.headers,
    get body() {
      return body ??= tapStream(answer.body, { failed: (error) => storeErrorOf(error, operation, stop) });
    },
    text: (maxBytes) => translateErrors(() => answer.text(maxBytes), operation, stop),
    discard: () => answer.discard().catch(() => {}),
  };
}

async function translateErrors<T>(act: () => Promise<T>, operation: string, stop: AbortSignal): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw storeErrorOf(error, operation, stop);
  }
}

/**
 * Converts a failure of a connection to a store error. Returns the stop reason if aborted, and other errors unchanged.
 */
export function storeErrorOf(error: unknown, operation: string, stop: AbortSignal): unknown {
  if (stop.aborted) return stop.reason;
  if (!(error instanceof NetError)) return error;
  const kind = error.passes ? "transient" : "final";
  return new StoreError(`${operation} failed: ${error.message}`, kind, undefined, { cause: error });
}

/**
 * Checks that a part of a file begins at the requested byte, because the file may be shorter.
 * @throws {StoreError} `final` when it does not.
 */
export async function checkPart(answer: HttpResponse, from: number, operation: string): Promise<void> {
  const [, first, last] = /^bytes (\d+)-(\d+)/.exec(answer.headers.get("content-range") ?? "") ?? [];
  if (first !== undefined && Number(first) === from && Number(last) >= from) return;
  await answer.discard();
  throw new StoreError(`${operation} failed: the object has no byte ${from}: ${statusText(416)}`, "final");
}

/** Returns the kind of failure of a response status, if nothing else is known. */
export function kindOfStatus(status: number): StoreErrorKind {
  if (status === 404 || status === 410) return "missing";
  if (status === 401 || status === 403) return "forbidden";
  if (status === 412) return "changed";
  if (status === 408 || status === 425 || status === 429) return "transient";
  return status >= 500 && status !== 501 && status !== 505 ? "transient" : "final";
}

/** The content of a store's error body. */
export interface ErrorBody {
  /** The store's error code: `NoSuchKey`. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** Returns the error in a JSON body, given the names of its fields; empty for other bodies. */
export function parseErrorBody(text: string, code: string, message: string): ErrorBody {
  const fields = fieldsOfJson(text);
  return { code: textIn(fields, code), message: textIn(fields, message) };
}

/**
 * Parses the JSON of a successful response.
 * @throws {StoreError} `transient` for other text, which an intermediary must have sent.
 */
export function parseJsonResponse(text: string, operation: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The parser's error is not the cause, because it quotes the text, which may contain a token.
    throw new StoreError(`${operation} failed: the response is not JSON`, "transient");
  }
}

/** Returns the error of an unsuccessful response. Its body is read and discarded. */
export async function responseFailure(
  answer: HttpResponse,
  operation: string,
  { now, read, kindOf }: {
    readonly now: () => number;
    /** Parses the body of the store's errors. */
    readonly read?: (text: string) => ErrorBody | undefined;
    /** Returns the kind of a store's error code, if the status is not sufficient. */
    readonly kindOf?: (status: number, body: ErrorBody) => StoreErrorKind | undefined;
  },
): Promise<StoreError> {
  const text = await answer.text(ERROR_BYTES).catch(() => "");
  const body = read?.(text) ?? {};
  const { code, message } = body;
  const words = [statusText(answer.status), code, message && shorten(message)].filter(Boolean).join(": ");
  const kind = kindOf?.(answer.status, body) ?? kindOfStatus(answer.status);
  return new StoreError(`${operation} failed: ${words}`, kind, retryAfter(answer, now));
}

/** Returns the delay in `Retry-After`, in milliseconds, limited to a minute. */
export function retryAfter({ headers }: { readonly headers: Headers }, now: () => number): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  const millis = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now();
  return Number.isNaN(millis) ? undefined : Math.min(Math.max(millis, 0), MAX_RETRY_AFTER_MILLIS);
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  301: "Moved Permanently",
  302: "Found",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Request Entity Too Large",
  416: "Requested Range Not Satisfiable",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};

/** Formats a status with its text: `404 Not Found`. */
export function statusText(status: number): string {
  return [status, STATUS_TEXTS[status]].filter(Boolean).join(" ");
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

/** Requests of drivers to stores: one is sent, and what is no success becomes an error of the kind that it is. */
import { parseJson } from "../bounded_json.ts";
import { textIn } from "../fields_of.ts";
import { fieldsOfJson } from "../fields_of_json.ts";
import { type Bytes, type HttpRequest, type HttpResponse, type Net, NetError, passedOn } from "../net/mod.ts";
import { StoreError, type StoreErrorKind } from "./driver.ts";

/** The longest wait for a store that asked to be left alone. */
export const MAX_RETRY_AFTER_MILLIS = 60_000;

/** The most bytes of an error's body that are looked at. */
const ERROR_BYTES = 64 * 1024;
/** The most characters of an error's body that are shown. */
const SHOWN_CHARACTERS = 300;

/**
 * Sends a request whose failures, `what` in front of them, are errors of a store, also those of the answer's body.
 * @throws {StoreError} `transient` or `final` when no answer comes.
 */
export async function send(net: Net, request: HttpRequest, what: string): Promise<HttpResponse> {
  const { stop } = request;
  const answer = await translated(() => net.send(request), what, stop);
  let body: ReadableStream<Bytes> | undefined;
  return {
    status: answer.status,
    headers: answer.headers,
    get body() {
      return body ??= passedOn(answer.body, { failed: (error) => storeErrorOf(error, what, stop) });
    },
    text: (maxBytes) => translated(() => answer.text(maxBytes), what, stop),
    discard: () => answer.discard().catch(() => {}),
  };
}

async function translated<T>(act: () => Promise<T>, what: string, stop: AbortSignal): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw storeErrorOf(error, what, stop);
  }
}

/** The error of a store that a failure of its connection is; the reason to stop where that was given, and others as they are. */
export function storeErrorOf(error: unknown, what: string, stop: AbortSignal): unknown {
  if (stop.aborted) return stop.reason;
  if (!(error instanceof NetError)) return error;
  const kind = error.passes ? "transient" : "final";
  return new StoreError(`${what} failed: ${error.message}`, kind, undefined, { cause: error });
}

/**
 * Looks whether a part of a file begins where it was asked for, as the end of the file may be before that.
 * @throws {StoreError} `final` when it does not.
 */
export async function checkPart(answer: HttpResponse, from: number, what: string): Promise<void> {
  const [, first, last] = /^bytes (\d+)-(\d+)/.exec(answer.headers.get("content-range") ?? "") ?? [];
  if (first !== undefined && Number(first) === from && Number(last) >= from) return;
  await answer.discard();
  throw new StoreError(`${what} failed: there is nothing from byte ${from} on: ${statusText(416)}`, "final");
}

/** The kind of failure that the status of an answer means, where nothing else is known. */
export function kindOfStatus(status: number): StoreErrorKind {
  if (status === 404 || status === 410) return "missing";
  if (status === 401 || status === 403) return "forbidden";
  if (status === 412) return "changed";
  if (status === 408 || status === 425 || status === 429) return "transient";
  return status >= 500 && status !== 501 && status !== 505 ? "transient" : "final";
}

/** The content of the body of a store's error. */
export interface ErrorBody {
  /** The store's word for it: `NoSuchKey`. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** The error in a JSON body, by the names of the fields that hold its texts; empty where it is no JSON. */
export function errorIn(text: string, code: string, message: string): ErrorBody {
  const fields = fieldsOfJson(text);
  return { code: textIn(fields, code), message: textIn(fields, message) };
}

/**
 * The value that a success says in JSON.
 * @throws {StoreError} `transient` for what is no JSON: something on the way answered in the place of the service.
 */
export function jsonOf(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The error of the parser is no cause: it quotes the text, which may hold a token.
    throw new StoreError(`${what} failed: the answer is no JSON`, "transient");
  }
}

/** The error of an answer that is no success; its body is read and given up. */
export async function failureOf(
  answer: HttpResponse,
  what: string,
  { now, read, kindOf }: {
    readonly now: () => number;
    /** Reads the body of the store's errors. */
    readonly read?: (text: string) => ErrorBody | undefined;
    /** The kind that a store's own word means, where its status says too little. */
    readonly kindOf?: (status: number, body: ErrorBody) => StoreErrorKind | undefined;
  },
): Promise<StoreError> {
  const text = await answer.text(ERROR_BYTES).catch(() => "");
  const body = read?.(text) ?? {};
  const { code, message } = body;
  const words = [statusText(answer.status), code, message && shorten(message)].filter(Boolean).join(": ");
  const kind = kindOf?.(answer.status, body) ?? kindOfStatus(answer.status);
  return new StoreError(`${what} failed: ${words}`, kind, retryAfter(answer, now));
}

/** The pause that the store asked for in `Retry-After`: milliseconds, a minute at most. */
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

/** A status as people know it: `404 Not Found`. */
export function statusText(status: number): string {
  return [status, STATUS_TEXTS[status]].filter(Boolean).join(" ");
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

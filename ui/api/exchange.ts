/** HTTP requests of the page: JSON and event streams, with the session's token. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { readJson } from "./json_pieces.ts";
import { Refusal } from "./refusal.ts";
import {
  NoSharedStreamError,
  type Sharing,
  streamErrorOf,
  type StreamShare,
  type StreamWatcher,
} from "./stream_talk.ts";

/** The server, and the credentials. */
export interface Exchange {
  /** The address that contains `api/`, with a trailing slash. */
  readonly base: string;
  /** Returns the whole `authorization` header; undefined if a cookie authenticates the user, or nothing does. */
  readonly authorization: () => string | undefined;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The stream that the tabs of this browser share, if there is one. */
  readonly shared?: StreamShare | undefined;
}

/** Query parameters; undefined and empty values are omitted. */
export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** A range of a file. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
  /** The entity tag of the file from which other ranges were read; undefined if the server sent none. */
  readonly tag: string | undefined;
}

/** A request. */
export interface ApiRequest {
  /** Describes the attempt for users. */
  readonly tried: string;
  readonly method?: string;
  /** The path below `api/`, with encoded segments. */
  readonly path: string;
  readonly query?: QueryValues;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly part?: FilePart;
  /** Called when a JSON response turns out to be large. */
  readonly onLarge?: (() => void) | undefined;
}

/** A file, up to the requested number of bytes. */
export interface FileAnswer {
  /** The address of the file after redirects. */
  readonly url: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
}

/** Returns how many bytes of a file to read, given its first bytes and whether the server supports ranges. */
export type ByteLimit = (beginning: Uint8Array, hasParts: boolean) => number;

/** The number of bytes at the start of a file that identify its format. */
const BEGINNING = 64;

/** Reports whether a server supports ranges for a file, by the headers of its response. */
export function hasParts(headers: Headers): boolean {
  return headers.get("accept-ranges") === "bytes" && headers.has("content-length") && !headers.has("content-encoding");
}

/** Reads a file at a path below the base rather than `api/`, up to a number of bytes. @throws {Refusal} */
export async function requestFile(exchange: Exchange, request: ApiRequest, mostOf: ByteLimit): Promise<FileAnswer> {
  const response = await send(exchange, request, "application/json", "");
  if (request.part) {
    const { tag } = request.part;
    const isOther = tag !== undefined && response.headers.get("etag") !== tag;
    if (isOther || response.status !== 206) {
      response.body?.cancel().catch(() => {});
      throw isOther
        ? new Refusal(request.tried, 409, "the file was replaced while parts of it were read")
        : new Refusal(request.tried, 0, "the server sent the whole file instead of a part");
    }
  }
  let max: number | undefined;
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isWhole = reader === undefined;
  try {
    while (reader && (max === undefined || size < max)) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (done) break;
      chunks.push(value);
      size += value.length;
      if (max === undefined && size >= BEGINNING) {
        max = mostOf(await firstBytesOf(chunks), hasParts(response.headers));
      }
    }
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new Refusal(request.tried, 0, "the file is incomplete", { cause: error });
  }
  reader?.cancel().catch(() => {});
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer()).subarray(0, max);
  return { url: response.url, headers: response.headers, bytes, isWhole: isWhole && bytes.length === size };
}

async function firstBytesOf(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> {
  return new Uint8Array(await new Blob([...chunks]).arrayBuffer()).subarray(0, BEGINNING);
}

/** Uploads a file as a form field, to a path below the base rather than `api/`. @throws {Refusal} */
export async function sendFile(exchange: Exchange, request: ApiRequest, field: string, file: File): Promise<unknown> {
  const form = new FormData();
  form.append(field, file);
  return await jsonOf(
    await send(exchange, { ...request, method: "POST", body: form }, "application/json", ""),
    request,
  );
}

/** Requests a JSON value. @throws {Refusal} */
export async function requestJson(exchange: Exchange, request: ApiRequest): Promise<unknown> {
  return await jsonOf(await send(exchange, request, "application/json"), request);
}

async function jsonOf(response: Response, request: ApiRequest): Promise<unknown> {
  try {
    return await readJson(await textOf(response, request.onLarge));
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new Refusal(request.tried, 0, "the response is incomplete or not valid JSON", { cause: error });
  }
}

/** Reads the text of a response as it arrives: decoding ten megabytes at the end would block the page. */
async function textOf({ body }: Response, onLarge?: () => void): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = "";
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    const before = text.length;
    text += decoder.decode(value, { stream: true });
    if (before < LARGE && text.length >= LARGE) onLarge?.();
  }
  return text + decoder.decode();
}

/**
 * Opens an event stream and yields the `result` of each event, batched as they arrive. `onOpen` is called when the
 * response starts, `onLife` at each heartbeat.
 * @throws {Refusal} if the stream is refused, also later; with status 0 if the connection breaks
 */
export async function* streamOf(
  exchange: Exchange,
  request: ApiRequest,
  watcher: StreamWatcher = {},
): AsyncGenerator<readonly unknown[]> {
  for await (const lines of linesOf(bytesOf(exchange, request, watcher))) {
    const { results, error } = await messagesOf(lines, request.tried, (result) => result);
    if (results.length > 0) yield results;
    if (error) throw error;
  }
}

/** Options of a shared stream: the kind of sharing, and the version from which it starts. */
export interface SharedOptions {
  readonly sharing: Sharing;
  readonly from: string | undefined;
}

/** Reads a stream through the shared stream if there is one; otherwise sends the request `alone`. */
export async function* sharedStreamOf(
  exchange: Exchange,
  request: ApiRequest & { readonly signal: AbortSignal },
  { sharing, from }: SharedOptions,
  watcher: StreamWatcher = {},
  alone: ApiRequest = request,
): AsyncGenerator<readonly unknown[]> {
  const { tried, signal } = request;
  try {
    if (!exchange.shared) throw new NoSharedStreamError("no stream is shared");
    const followed = { tried, path: `/api/${addressOf(request)}`, from, sharing, signal };
    for await (const texts of exchange.shared.follow(followed, watcher)) {
      const { results } = await messagesOf(texts.map((text) => `data:${text}`), tried, (result) => result);
      if (results.length > 0) yield results;
    }
  } catch (error) {
    if (!(error instanceof NoSharedStreamError)) throw error;
    yield* streamOf(exchange, alone, watcher);
  }
}

/** Messages of this many characters are parsed with pauses, and responses are reported as large. */
const LARGE = 100_000;

/**
 * Parses the results in lines of a stream, up to an error. `readPlain` may parse a line itself; it returns undefined
 * for other lines.
 */
export async function messagesOf<T>(
  lines: readonly string[],
  tried: string,
  read: (result: unknown) => T,
  readPlain: (message: string) => T | undefined = () => undefined,
): Promise<{ readonly results: readonly T[]; readonly error?: Refusal }> {
  const results: T[] = [];
  for (const line of lines) {
    const plain = readPlain(line);
    if (plain !== undefined) {
      results.push(plain);
      continue;
    }
    if (!line.startsWith("data:")) continue;
    const data = line.slice("data:".length).trim();
    if (data === "") continue;
    // A run with tens of thousands of nodes is one message; log lines are small and many.
    const { result, error } = fieldsOf(data.length > LARGE ? await readJson(data) : JSON.parse(data));
    if (error) {
      const { status, message } = streamErrorOf(error);
      return { results, error: new Refusal(tried, status, message) };
    }
    if (result !== undefined) results.push(read(result));
  }
  return { results };
}

function addressOf({ path, query = {} }: ApiRequest): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "" && value !== false);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${path}${search === "" ? "" : `?${search}`}`;
}

async function send(exchange: Exchange, request: ApiRequest, accept: string, below = "api/"): Promise<Response> {
  const { tried, method = "GET", body, signal, part } = request;
  const headers = new Headers({ accept });
  const authorization = exchange.authorization();
  if (authorization !== undefined) headers.set("authorization", authorization);
  if (part) headers.set("range", `bytes=${part.from}-${part.to - 1}`);
  // A weak tag does not guarantee equal bytes: with one, the server would send the whole file.
  if (part?.tag !== undefined && !part.tag.startsWith("W/")) headers.set("if-range", part.tag);
  // The browser sets the content type of a form, with its boundary.
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set("content-type", "application/json");
  let response: Response;
  try {
    response = await exchange.fetch(`${exchange.base}${below}${addressOf(request)}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(tried, 0, "the server does not respond", { cause: error });
  }
  if (!response.ok) throw new Refusal(tried, response.status, messageOf(await response.text(), response.status));
  return response;
}

/** Returns the server's message in a refusal: `{"code": 7, "message": "…"}`, or below `error` in a stream. */
function messageOf(text: string, status: number): string {
  const body = fieldsOfJson(text.replace(/^data: /, ""));
  const message = textIn(body, "message") ?? textIn(fieldsOf(body.error), "message");
  if (message !== undefined) return message;
  // Not JSON: the response of a proxy.
  const words = text.trim();
  return words === "" || words.startsWith("<") ? `the server answered ${status}` : words.slice(0, 500);
}

/**
 * Opens a stream and yields its bytes.
 * @throws {Refusal} if it is refused; with status 0 if the connection breaks
 */
export async function* bytesOf(
  exchange: Exchange,
  request: ApiRequest,
  { onOpen, onLife }: StreamWatcher = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { body } = await send(exchange, request, "text/event-stream");
  onOpen?.();
  const reader = body?.getReader();
  if (!reader) return;
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) break;
      onLife?.();
      yield value;
    }
  } catch (error) {
    if (request.signal?.aborted || error instanceof Refusal) throw error;
    throw new Refusal(request.tried, 0, "the stream was interrupted", { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Splits bytes into lines, batched as they arrive. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  // The chunks of an unfinished line: a large line arrives in hundreds of chunks, which are joined once.
  let rest: string[] = [];
  for await (const bytes of chunks) {
    const lines = decoder.decode(bytes, { stream: true }).split("\n");
    rest.push(lines[0]!);
    if (lines.length === 1) continue;
    lines[0] = rest.join("");
    rest = [lines.pop()!];
    yield lines;
  }
  const last = rest.join("");
  if (last !== "") yield [last];
}

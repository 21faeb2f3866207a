/** Requests of the page: JSON both ways, and streams of events, with the session's token and without cookies of ours. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { readJson } from "./json_pieces.ts";
import { Refusal } from "./refusal.ts";
import { NotShared, type Sharing, streamErrorOf, type StreamShare, type StreamWatcher } from "./stream_talk.ts";

/** The place of the server and who asks. */
export interface Exchange {
  /** The address below which `api/` lies; it ends with a slash. */
  readonly base: string;
  /** The whole `authorization` header; undefined where a cookie, or nothing, speaks for the person. */
  readonly authorization: () => string | undefined;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The one stream of this browser, where there is one. */
  readonly shared?: StreamShare | undefined;
}

/** Values of a query; what is undefined or empty is left out. */
export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** A part of a file: from one byte up to another. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
  /** The entity tag of the file of which other parts were read; undefined where the server gave none. */
  readonly tag: string | undefined;
}

/** One request. */
export interface Asked {
  /** The thing that is tried, in words for a person. */
  readonly tried: string;
  readonly method?: string;
  /** Below `api/`, each segment already encoded. */
  readonly path: string;
  readonly query?: QueryValues;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly part?: FilePart;
  /** StreamWatcher while a JSON answer comes that it is a large one. */
  readonly onLarge?: (() => void) | undefined;
}

/** A file as it was read, up to the bytes that were asked for. */
export interface FileAnswer {
  /** The address at which the file was found, after all redirects. */
  readonly url: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
}

/** The most bytes that are read of a file, by its first ones, and by whether the server gives parts of it. */
export type MostBytes = (beginning: Uint8Array, hasParts: boolean) => number;

/** The bytes that tell what a file is. */
const BEGINNING = 64;

/** Whether a server gives parts of a file, as its answer says. */
export function hasParts(headers: Headers): boolean {
  return headers.get("accept-ranges") === "bytes" && headers.has("content-length") && !headers.has("content-encoding");
}

/** Asks for a file below the base, not below `api/`; reads no more than so many bytes of it. @throws {Refusal} */
export async function askFile(exchange: Exchange, asked: Asked, mostOf: MostBytes): Promise<FileAnswer> {
  const response = await send(exchange, asked, "application/json", "");
  if (asked.part) {
    const { tag } = asked.part;
    const isOther = tag !== undefined && response.headers.get("etag") !== tag;
    if (isOther || response.status !== 206) {
      response.body?.cancel().catch(() => {});
      throw isOther
        ? new Refusal(asked.tried, 409, "the file was replaced while parts of it were read")
        : new Refusal(asked.tried, 0, "the server sends all of a file where a part was asked for");
    }
  }
  let most: number | undefined;
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isWhole = reader === undefined;
  try {
    while (reader && (most === undefined || size < most)) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (done) break;
      chunks.push(value);
      size += value.length;
      if (most === undefined && size >= BEGINNING) most = mostOf(await startOf(chunks), hasParts(response.headers));
    }
  } catch (error) {
    if (asked.signal?.aborted) throw error;
    throw new Refusal(asked.tried, 0, "the file broke off", { cause: error });
  }
  reader?.cancel().catch(() => {});
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer()).subarray(0, most);
  return { url: response.url, headers: response.headers, bytes, isWhole: isWhole && bytes.length === size };
}

async function startOf(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> {
  return new Uint8Array(await new Blob([...chunks]).arrayBuffer()).subarray(0, BEGINNING);
}

/** Sends a file as the field of a form, to a path below the base and not below `api/`. @throws {Refusal} */
export async function sendFile(exchange: Exchange, asked: Asked, field: string, file: File): Promise<unknown> {
  const form = new FormData();
  form.append(field, file);
  return await jsonOf(await send(exchange, { ...asked, method: "POST", body: form }, "application/json", ""), asked);
}

/** Asks for a JSON value. @throws {Refusal} */
export async function ask(exchange: Exchange, asked: Asked): Promise<unknown> {
  return await jsonOf(await send(exchange, asked, "application/json"), asked);
}

async function jsonOf(response: Response, asked: Asked): Promise<unknown> {
  try {
    return await readJson(await textOf(response, asked.onLarge));
  } catch (error) {
    if (asked.signal?.aborted) throw error;
    throw new Refusal(asked.tried, 0, "the answer broke off, or is no JSON", { cause: error });
  }
}

/** The text of an answer, read as it comes: to decode ten megabytes at its end would hold the page up. */
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
 * Asks for a stream of events and gives out the `result` of each, those that came together as one batch; `onOpen` is told
 * when the server began to answer, and `onLife` of each sign of life.
 * @throws {Refusal} where it is refused, also in the middle; with the status 0 where it breaks off.
 */
export async function* streamOf(
  exchange: Exchange,
  asked: Asked,
  told: StreamWatcher = {},
): AsyncGenerator<readonly unknown[]> {
  for await (const lines of linesOf(bytesOf(exchange, asked, told))) {
    const { results, error } = await messagesOf(lines, asked.tried, (result) => result);
    if (results.length > 0) yield results;
    if (error) throw error;
  }
}

/** The way in which a stream is shared with other tabs, and the version from which it is wanted. */
export interface Shared {
  readonly sharing: Sharing;
  readonly from: string | undefined;
}

/** The same by the one stream of this browser, where there is one; `alone` is what is asked where there is none. */
export async function* sharedStreamOf(
  exchange: Exchange,
  asked: Asked & { readonly signal: AbortSignal },
  { sharing, from }: Shared,
  told: StreamWatcher = {},
  alone: Asked = asked,
): AsyncGenerator<readonly unknown[]> {
  const { tried, signal } = asked;
  try {
    if (!exchange.shared) throw new NotShared("no stream is shared");
    const followed = { tried, path: `/api/${addressOf(asked)}`, from, sharing, signal };
    for await (const texts of exchange.shared.follow(followed, told)) {
      const { results } = await messagesOf(texts.map((text) => `data:${text}`), tried, (result) => result);
      if (results.length > 0) yield results;
    }
  } catch (error) {
    if (!(error instanceof NotShared)) throw error;
    yield* streamOf(exchange, alone, told);
  }
}

/** Characters of a message that is read with rests, and of an answer that is told to be large. */
const LARGE = 100_000;

/** The results in lines of a stream, up to an error; `readPlain` may read a line whole, and gives undefined for others. */
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
    // A run of tens of thousands of nodes is one message; the lines of a log are small, and many.
    const { result, error } = fieldsOf(data.length > LARGE ? await readJson(data) : JSON.parse(data));
    if (error) {
      const { status, message } = streamErrorOf(error);
      return { results, error: new Refusal(tried, status, message) };
    }
    if (result !== undefined) results.push(read(result));
  }
  return { results };
}

function addressOf({ path, query = {} }: Asked): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "" && value !== false);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${path}${search === "" ? "" : `?${search}`}`;
}

async function send(exchange: Exchange, asked: Asked, accept: string, below = "api/"): Promise<Response> {
  const { tried, method = "GET", body, signal, part } = asked;
  const headers = new Headers({ accept });
  const authorization = exchange.authorization();
  if (authorization !== undefined) headers.set("authorization", authorization);
  if (part) headers.set("range", `bytes=${part.from}-${part.to - 1}`);
  // A weak tag does not tell files apart byte by byte: with one, all of the file would come.
  if (part?.tag !== undefined && !part.tag.startsWith("W/")) headers.set("if-range", part.tag);
  // A form names the border between its parts itself.
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set("content-type", "application/json");
  let response: Response;
  try {
    response = await exchange.fetch(`${exchange.base}${below}${addressOf(asked)}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(tried, 0, "the server does not answer", { cause: error });
  }
  if (!response.ok) throw new Refusal(tried, response.status, messageOf(await response.text(), response.status));
  return response;
}

/** The server's words in the body of a refusal: `{"code": 7, "message": "…"}`, or, in a stream, below `error`. */
function messageOf(text: string, status: number): string {
  const body = fieldsOfJson(text.replace(/^data: /, ""));
  const message = textIn(body, "message") ?? textIn(fieldsOf(body.error), "message");
  if (message !== undefined) return message;
  // Not JSON: a proxy in between answered.
  const words = text.trim();
  return words === "" || words.startsWith("<") ? `the server answered ${status}` : words.slice(0, 500);
}

/**
 * Asks for a stream and gives out its bytes as they come.
 * @throws {Refusal} where it is refused; with the status 0 where it breaks off.
 */
export async function* bytesOf(
  exchange: Exchange,
  asked: Asked,
  { onOpen, onLife }: StreamWatcher = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { body } = await send(exchange, asked, "text/event-stream");
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
    if (asked.signal?.aborted || error instanceof Refusal) throw error;
    throw new Refusal(asked.tried, 0, "the stream broke off", { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The lines in bytes, those that came together as one batch. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  // The pieces of the line that has not ended yet: a large one comes in hundreds of them, and is put together once.
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

/** Reads bodies of requests with limits, and parses them as JSON. */
import { badRequest, CODE, WireError } from "./errors.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { LIMITS } from "@tiphys/base/limits";
import { type BodyValue, jsonBody, type TextWorker } from "@tiphys/language/text_worker";

/** A JSON object of any shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the bytes of a body. Aborting `stop` ends the reading.
 * @throws {WireError} with status 413 if the body is larger, without reading the rest; the reason of `stop`.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  stop?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => {
    request.body?.cancel().catch(() => {});
    return new WireError(CODE.resourceExhausted, `the body is larger than ${maxBytes} bytes`, { status: 413 });
  };
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body = stop ? request.body?.pipeThrough(new TransformStream(), { signal: stop }) : request.body;
  for await (const chunk of inLargePieces(body ?? [])) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return joinedBytes(chunks);
}

const PIECE = 64 << 10;

/**
 * Combines chunks to pieces of at least 64 KiB, except for the last one. A client may send every byte in its own chunk,
 * and the memory and time for each chunk must not grow with their number.
 */
export async function* inLargePieces(chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[]) {
  let piece: Uint8Array = new Uint8Array();
  let filled = 0;
  for await (const chunk of chunks) {
    if (filled === 0) {
      [piece, filled] = [chunk, chunk.length];
    } else {
      const room = Math.max(PIECE, filled + chunk.length);
      if (piece.length < filled + chunk.length) {
        const larger = new Uint8Array(room);
        larger.set(piece.subarray(0, filled));
        piece = larger;
      }
      piece.set(chunk, filled);
      filled += chunk.length;
    }
    if (filled < PIECE) continue;
    yield piece.subarray(0, filled);
    filled = 0;
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/**
 * Reads the text of a body.
 * @throws {WireError} if it is not UTF-8.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  return decode(await readBody(request, maxBytes));
}

/** The maximum depth of a body: an object is in one of its fields, or in a list there. */
const MAX_DEPTH = LIMITS.depth + 2;

/** The thread that parses large bodies, and the key of the caller as in `TaskOptions`. */
export interface BodyReader {
  readonly texts: TextWorker;
  readonly key: string;
}

/**
 * Parses the JSON value of a body; undefined if it is empty. A large body is parsed in the thread of the reader, if
 * there is one.
 * @throws {WireError} if the JSON is invalid, with the parser's message; if it is too deep or has too many values.
 */
async function readJson(request: Request, maxBytes: number, reader?: BodyReader): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text.trim() === "") return undefined;
  const input = { text, depth: MAX_DEPTH };
  if (!reader) return valueOf(jsonBody(input));
  const { texts, key } = reader;
  return valueOf(await texts.run("jsonBody", input, { key, runHere: jsonBody, characters: text.length }));
}

/**
 * Returns the value of a parsed body.
 * @throws {WireError} if parsing failed; with status 413 if the body is too large.
 */
export function valueOf(read: BodyValue): unknown {
  if (!("error" in read)) return read.value;
  if (read.isTooLarge) throw new WireError(CODE.resourceExhausted, read.error, { status: 413 });
  throw badRequest(read.error);
}

/**
 * Parses the JSON object of a body; an empty body results in an empty object. `reader` parses large bodies.
 * @throws {WireError} if the body is anything else.
 */
export async function readObject(request: Request, maxBytes: number, reader?: BodyReader): Promise<JsonObject> {
  const value = await readJson(request, maxBytes, reader);
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw badRequest("expected a JSON object as the body");
  return value as JsonObject;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badRequest("the body is not UTF-8");
  }
}

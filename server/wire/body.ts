/** Bodies of requests: read as far as they may go, and as JSON. */
import { badRequest, CODE, WireError } from "./errors.ts";
import { parseJson } from "../../lib/bounded_json.ts";
import { joinedBytes } from "../../lib/joined_bytes.ts";
import { LIMITS } from "../../lib/limits.ts";

/** A JSON object of any shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The bytes of a body. When `stop` is aborted, nothing more of it is read.
 * @throws {WireError} 413 for a body that is larger, of which nothing more is read; the reason of `stop`.
 */
export async function readBody(request: Request, maxBytes: number, stop?: AbortSignal): Promise<Uint8Array> {
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
 * The same bytes in pieces of 64 KiB and more, but for the last: a client may send each byte by itself, and what is kept of
 * a piece beside its bytes, and done for it, must not grow with their number.
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
 * The text of a body.
 * @throws {WireError} for what is no UTF-8.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  return decode(await readBody(request, maxBytes));
}

/** The deepest nesting of a body: an object lies in a field of it, or in an item of a list there. */
const DEEPEST = LIMITS.depth + 2;

/**
 * The JSON value of a body; undefined where there is none.
 * @throws {WireError} for invalid JSON, in the parser's words, and for a body that is nested too deeply or has too many values.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text.trim() === "") return undefined;
  try {
    return parseJson(text, { depth: DEEPEST, values: LIMITS.jsonValues });
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The JSON object of a body; an empty one where there is none.
 * @throws {WireError} for anything else.
 */
export async function readObject(request: Request, maxBytes: number): Promise<JsonObject> {
  const value = await readJson(request, maxBytes);
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

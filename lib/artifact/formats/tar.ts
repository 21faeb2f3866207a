/**
 * Packing a file or folder as tar.gz. Written here, as it runs in front of user commands, where nothing but Deno's own
 * may be loaded.
 */
import type { Held } from "../../confined/held.ts";
import { gzip } from "./gzip.ts";
import { contentOf, packable, type PackOptions } from "./packable.ts";

/** The size of a header, and what contents are filled up to. */
export const TAR_BLOCK = 512;
const BLOCK = TAR_BLOCK;
const encoder = new TextEncoder();

/** Bytes that are compressed at once: an archive of small files is many small pieces. */
const CHUNK_BYTES = 65_536;

/**
 * The tar.gz archive of a held file or folder, which is called `name` in it. Links inside a folder stay links, hard
 * links become files of their own, pipes and devices stay behind; owners and set-uid bits are not kept. The stream
 * fails when a file becomes shorter while it is read. `compress` may be another compression.
 */
export async function tarGz(
  source: Held,
  name: string,
  options: PackOptions = {},
  compress = gzip,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return compressed(inChunks(entries(source, name, options)), await compress(options.level));
}

/**
 * The compressed content of chunks. Each is asked for when the one before it is compressed, and not before: it may
 * lie in the same memory. A pipe would take the next one early.
 */
function compressed(
  chunks: Generator<Uint8Array<ArrayBuffer>>,
  { readable, writable }: TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const writer = writable.getWriter();
  const pump = async () => {
    try {
      for (const chunk of chunks) await writer.write(chunk);
      await writer.close();
    } catch (error) {
      // The reader of the stream gets the error, unless it was the reader who left.
      await writer.abort(error).catch(() => {});
    } finally {
      chunks.return(undefined);
    }
  };
  pump().catch(() => {});
  return readable;
}

/** The same bytes in larger pieces, all in the same memory: each is good until the next is asked for. */
function* inChunks(pieces: Iterable<Uint8Array<ArrayBuffer>>): Generator<Uint8Array<ArrayBuffer>> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  for (let piece of pieces) {
    while (piece.length > 0) {
      const fits = piece.subarray(0, CHUNK_BYTES - length);
      chunk.set(fits, length);
      length += fits.length;
      piece = piece.subarray(fits.length);
      if (length < CHUNK_BYTES) continue;
      yield chunk;
      length = 0;
    }
  }
  if (length > 0) yield chunk.subarray(0, length);
}

function* entries(source: Held, name: string, options: PackOptions): Generator<Uint8Array<ArrayBuffer>> {
  for (const entry of packable(source, name, options)) {
    if (entry.kind === "link") yield* tarHeaders(entry.name, "2", 0, entry.info, entry.target);
    else if (entry.kind === "folder") yield* tarHeaders(`${entry.name}/`, "5", 0, entry.info);
    else {
      yield* tarHeaders(entry.name, "0", entry.info.size, entry.info);
      yield* contentOf(entry);
      yield new Uint8Array((BLOCK - entry.info.size % BLOCK) % BLOCK);
    }
  }
  yield new Uint8Array(2 * BLOCK);
}

/** A header; names and targets over 100 bytes, sizes over 8 GiB, and times before 1970, go into an extended one before it. */
export function* tarHeaders(
  name: string,
  type: string,
  size: number,
  info: Pick<Deno.FileInfo, "mode" | "mtime">,
  link = "",
): Generator<Uint8Array<ArrayBuffer>> {
  const mtime = Math.floor((info.mtime?.getTime() ?? 0) / 1000);
  const records: [string, string][] = [];
  if (encoder.encode(name).length > 100) records.push(["path", name]);
  if (encoder.encode(link).length > 100) records.push(["linkpath", link]);
  if (size >= 8 * 2 ** 30) records.push(["size", String(size)]);
  if (mtime < 0) records.push(["mtime", String(mtime)]);
  if (records.length) {
    const body = encoder.encode(records.map(([key, value]) => paxRecord(key, value)).join(""));
    yield header({ name: "pax", type: "x", size: body.length, mode: 0o644, mtime: 0, link: "" });
    yield body;
    yield new Uint8Array((BLOCK - body.length % BLOCK) % BLOCK);
  }
  yield header({ name, type, size, mode: (info.mode ?? 0o644) & 0o777, mtime: Math.max(0, mtime), link });
}

/** `LENGTH KEY=VALUE\n`, where LENGTH counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function header(fields: {
  name: string;
  type: string;
  size: number;
  mode: number;
  mtime: number;
  link: string;
}): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (text: string, offset: number, length: number) => {
    block.set(encoder.encode(text).subarray(0, length), offset);
  };
  const octal = (value: number, offset: number, length: number) =>
    put(value.toString(8).padStart(length - 1, "0").slice(-(length - 1)), offset, length - 1);
  put(fields.name, 0, 100);
  octal(fields.mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(fields.size, 124, 12);
  octal(fields.mtime, 136, 12);
  put("        ", 148, 8);
  put(fields.type, 156, 1);
  put(fields.link, 157, 100);
  put("ustar\0", 257, 6);
  put("00", 263, 2);
  let sum = 0;
  for (const byte of block) sum += byte;
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148, 8);
  return block;
}

/**
 * Packs a file or folder as tar.gz. Own implementation, because it runs before user commands, where npm packages must
 * not be loaded.
 */
import type { Handle } from "@tiphys/base/confined/handle";
import { gzip } from "./gzip.ts";
import { listEntries, type PackOptions, readExactContent } from "./packable.ts";

/** The size of a header, and the alignment of contents. */
export const TAR_BLOCK = 512;
const BLOCK = TAR_BLOCK;
const encoder = new TextEncoder();

/** Number of bytes that are compressed at once, because an archive of small files consists of many small pieces. */
const CHUNK_BYTES = 65_536;

/**
 * Returns the tar.gz archive of a file or folder, which has the name `name` in it. Links inside a folder are kept, hard
 * links become separate files, pipes and devices are omitted; owners and set-uid bits are dropped. The stream fails
 * when a file becomes shorter while it is read. `compress` may be another compression.
 */
export async function tarGz(
  source: Handle,
  name: string,
  options: PackOptions = {},
  compress = gzip,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return compressChunks(joinIntoChunks(tarEntries(source, name, options)), await compress(options.level));
}

/**
 * Compresses chunks. Each chunk is requested only after the previous one was compressed, because both may use the same
 * buffer. A pipe would read ahead.
 */
function compressChunks(
  chunks: Generator<Uint8Array<ArrayBuffer>>,
  { readable, writable }: TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const writer = writable.getWriter();
  const pump = async () => {
    try {
      for (const chunk of chunks) await writer.write(chunk);
      await writer.close();
    } catch (error) {
      // The reader of the stream receives the error, unless the reader cancelled.
      await writer.abort(error).catch(() => {});
    } finally {
      chunks.return(undefined);
    }
  };
  pump().catch(() => {});
  return readable;
}

/** Yields the same bytes in larger chunks that share one buffer: each is valid until the next is requested. */
function* joinIntoChunks(pieces: Iterable<Uint8Array<ArrayBuffer>>): Generator<Uint8Array<ArrayBuffer>> {
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

function* tarEntries(source: Handle, name: string, options: PackOptions): Generator<Uint8Array<ArrayBuffer>> {
  for (const entry of listEntries(source, name, options)) {
    if (entry.kind === "link") yield* tarHeaders(entry.name, "2", 0, entry.info, entry.target);
    else if (entry.kind === "folder") yield* tarHeaders(`${entry.name}/`, "5", 0, entry.info);
    else {
      yield* tarHeaders(entry.name, "0", entry.info.size, entry.info);
      yield* readExactContent(entry);
      yield new Uint8Array((BLOCK - entry.info.size % BLOCK) % BLOCK);
    }
  }
  yield new Uint8Array(2 * BLOCK);
}

/**
 * Yields a header. Names and targets over 100 bytes, sizes over 8 GiB, and times before 1970 go into a preceding
 * extended header.
 */
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

/** Formats `LENGTH KEY=VALUE\n`, where LENGTH includes itself. */
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

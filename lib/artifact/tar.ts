/**
 * Packing a file or folder as tar.gz. Written here, as it runs in front of user commands, where nothing but Deno's own
 * may be loaded.
 */
import { gzip } from "./gzip.ts";

const BLOCK = 512;
const encoder = new TextEncoder();

/**
 * Writes `source` (a file or folder) to the archive `target` under the name `name`. Links inside a folder stay links;
 * owners are not kept. `level` says how hard to compress, from 0 to 9.
 */
export async function packTarGz(source: string, name: string, target: string, level?: number): Promise<void> {
  const file = await Deno.open(target, { write: true, create: true, truncate: true, mode: 0o644 });
  await ReadableStream.from(entries(source, name)).pipeThrough(await gzip(level)).pipeTo(file.writable);
}

async function* entries(source: string, name: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield* entry(source, name);
  yield new Uint8Array(2 * BLOCK);
}

async function* entry(path: string, name: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const info = await Deno.lstat(path);
  if (info.isSymlink) yield* headers(name, "2", 0, info, await Deno.readLink(path));
  else if (info.isDirectory) {
    yield* headers(`${name}/`, "5", 0, info);
    const names = [];
    for await (const child of Deno.readDir(path)) names.push(child.name);
    for (const child of names.sort()) yield* entry(`${path}/${child}`, `${name}/${child}`);
  } else if (info.isFile) {
    yield* headers(name, "0", info.size, info);
    yield* content(path, info.size);
  }
}

/** Exactly `size` bytes, whatever happens to the file meanwhile, filled up to a whole block. */
async function* content(path: string, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  using file = await Deno.open(path);
  let left = size;
  while (left > 0) {
    const buffer = new Uint8Array(Math.min(left, 65_536));
    const read = await file.read(buffer);
    if (read === null) break;
    left -= read;
    yield buffer.subarray(0, read);
  }
  yield new Uint8Array(left + (BLOCK - size % BLOCK) % BLOCK);
}

/** A header; names and targets over 100 bytes, and sizes over 8 GiB, go into an extended header before it. */
function* headers(
  name: string,
  type: string,
  size: number,
  info: Deno.FileInfo,
  link = "",
): Generator<Uint8Array<ArrayBuffer>> {
  const records: [string, string][] = [];
  if (encoder.encode(name).length > 100) records.push(["path", name]);
  if (encoder.encode(link).length > 100) records.push(["linkpath", link]);
  if (size >= 8 * 2 ** 30) records.push(["size", String(size)]);
  if (records.length) {
    const body = encoder.encode(records.map(([key, value]) => paxRecord(key, value)).join(""));
    yield header({ name: "pax", type: "x", size: body.length, mode: 0o644, mtime: 0, link: "" });
    yield body;
    yield new Uint8Array((BLOCK - body.length % BLOCK) % BLOCK);
  }
  // A header has no place for a time before 1970.
  const mtime = Math.max(0, Math.floor((info.mtime?.getTime() ?? 0) / 1000));
  yield header({ name, type, size, mode: (info.mode ?? 0o644) & 0o7777, mtime, link });
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
  put(`${block.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0")}\0 `, 148, 8);
  return block;
}

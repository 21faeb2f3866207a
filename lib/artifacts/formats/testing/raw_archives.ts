/** Builds archives with arbitrary field values, as an attacker would. */
import { crc32 } from "node:zlib";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** An entry of an archive of any kind. */
export interface RawEntry {
  readonly name: string;
  /** Defaults to `file`. */
  readonly type?: "file" | "folder" | "link" | "hard link" | "pipe" | "device";
  readonly text?: string;
  /** The target of a symbolic or hard link. */
  readonly target?: string;
  readonly mode?: number;
  /** The size in the header, if it differs from the real one. */
  readonly size?: number;
}

const BLOCK = 512;
const encoder = new TextEncoder();

const TAR_TYPES = { file: "0", folder: "5", link: "2", "hard link": "1", pipe: "6", device: "3" } as const;

/** A header block of a tar, with a correct checksum. */
export function tarHeader(fields: {
  readonly name: string;
  readonly type?: string;
  readonly size?: number | string;
  readonly mode?: number;
  readonly link?: string;
  readonly prefix?: string;
  /** The bytes of its user ID and group ID. */
  readonly owner?: Uint8Array;
}): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (text: string, offset: number, length: number) =>
    block.set(encoder.encode(text).subarray(0, length), offset);
  const octal = (value: number) => value.toString(8).padStart(7, "0");
  put(fields.name, 0, 100);
  put(octal(fields.mode ?? 0o644), 100, 7);
  for (const offset of [108, 116]) block.set(fields.owner ?? [], offset);
  put(typeof fields.size === "string" ? fields.size : (fields.size ?? 0).toString(8).padStart(11, "0"), 124, 12);
  put("00000000001", 136, 11);
  put("        ", 148, 8);
  put(fields.type ?? "0", 156, 1);
  put(fields.link ?? "", 157, 100);
  put("ustar\x0000", 257, 8);
  put(fields.prefix ?? "", 345, 155);
  put(`${octal(block.reduce((sum, byte) => sum + byte, 0)).slice(1)}\0 `, 148, 8);
  return block;
}

/** Content padded to whole blocks. */
export function tarBody(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  const body = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK);
  body.set(bytes);
  return body;
}

/** Formats `LENGTH KEY=VALUE\n`, where LENGTH includes itself. */
export function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  return `${length} ${key}=${value}\n`;
}

/** An extended header with records. */
export function paxHeader(records: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer>[] {
  const text = Object.entries(records).map(([key, value]) => paxRecord(key, value)).join("");
  return [tarHeader({ name: "pax", type: "x", size: encoder.encode(text).length }), tarBody(text)];
}

/** An uncompressed tar. Long names and targets are in extended headers. */
export function rawTar(entries: readonly RawEntry[]): Uint8Array<ArrayBuffer> {
  return joinedBytes([...entries.flatMap(tarEntry), new Uint8Array(2 * BLOCK)]);
}

function tarEntry({ name, type = "file", text = "", target = "", mode, size }: RawEntry): Uint8Array<ArrayBuffer>[] {
  const isLong = (words: string) => encoder.encode(words).length > 100 || words.includes("\0");
  const records = { ...(isLong(name) ? { path: name } : {}), ...(isLong(target) ? { linkpath: target } : {}) };
  const body = type === "file" ? [tarBody(text)] : [];
  const bytes = type === "file" ? encoder.encode(text).length : 0;
  return [
    ...(Object.keys(records).length > 0 ? paxHeader(records) : []),
    tarHeader({
      name,
      type: TAR_TYPES[type],
      size: size ?? bytes,
      mode: mode ?? (type === "folder" ? 0o755 : 0o644),
      link: target,
    }),
    ...body,
  ];
}

const ZIP_KINDS = { file: 0o100000, folder: 0o040000, link: 0o120000, pipe: 0o010000, device: 0o020000 } as const;

/** A zip with uncompressed entries. Zip has no hard links. */
export function rawZip(entries: readonly RawEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const list: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, type = "file", text = "", target, mode, size } of entries) {
    if (type === "hard link") throw new TypeError("A zip file has no hard links");
    const bytes = encoder.encode(target ?? text);
    const nameBytes = encoder.encode(type === "folder" && !name.endsWith("/") ? `${name}/` : name);
    const [sum, stored, whole] = [crc32(bytes), bytes.length, size ?? bytes.length];
    const local = numbers([0x04034b50, 4], [20, 2], [0, 2], [0, 2], [0, 4], [sum, 4], [stored, 4], [whole, 4], [
      nameBytes.length,
      2,
    ], [0, 2]);
    const attributes = ((ZIP_KINDS[type] | (mode ?? (type === "folder" ? 0o755 : 0o644))) << 16) >>> 0;
    list.push(
      numbers(
        [0x02014b50, 4],
        [0x0314, 2],
        [20, 2],
        [0, 2],
        [0, 2],
        [0, 4],
        [sum, 4],
        [stored, 4],
        [
          whole,
          4,
        ],
        [nameBytes.length, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [attributes, 4],
        [offset, 4],
      ),
      nameBytes,
    );
    parts.push(local, nameBytes, bytes);
    offset += local.length + nameBytes.length + bytes.length;
  }
  const listed = joinedBytes(list);
  const end = numbers([0x06054b50, 4], [0, 4], [entries.length, 2], [entries.length, 2], [listed.length, 4], [
    offset,
    4,
  ], [0, 2]);
  return joinedBytes([...parts, listed, end]);
}

function numbers(...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let offset = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
    offset += bytes;
  }
  return new Uint8Array(view.buffer);
}

/**
 * Lists everything below a folder so that any change is visible: kinds, modes, owners, contents, targets, times of
 * files.
 */
export function listingOf(folder: string, below = ""): string[] {
  const lines: string[] = [];
  for (const name of [...Deno.readDirSync(`${folder}${below}`)].map(({ name }) => name).sort()) {
    const path = `${folder}${below}/${name}`;
    const { isFile, isDirectory, isSymlink, mode, uid, gid, size, nlink, mtime } = Deno.lstatSync(path);
    const all = `${below}/${name} ${(mode! & 0o7777).toString(8)} ${uid}:${gid}`;
    if (isSymlink) lines.push(`${all} -> ${Deno.readLinkSync(path)}`);
    else if (isFile) {
      lines.push(`${all} ${size} x${nlink} ${mtime?.getTime()} ${Deno.readTextFileSync(path).slice(0, 50)}`);
    } else if (isDirectory) lines.push(`${all}/`, ...listingOf(folder, `${below}/${name}`));
    else lines.push(`${all} ?`);
  }
  return lines;
}

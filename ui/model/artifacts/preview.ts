/** The preview of a file. The format is detected from the content first, then from the media type and name. */
import { isZstd } from "@tiphys/base/zstd_mark";
import { parseJson } from "@tiphys/base/bounded_json";
import { gunzip } from "./gunzip.ts";
import { jsonRowsOf } from "./json_rows.ts";
import type { FileParts } from "./parquet/file_parts.ts";
import { MAX_FILES, tarFiles } from "./tar.ts";
import { beginsAsZip, zipFiles } from "./zip.ts";
import { loadPart } from "../../api/refusal.ts";
import { cannotBeReadInParts } from "../text/en/artifact_dialog.ts";

/** A file or its beginning, as received. */
export interface FileBytes {
  readonly name: string;
  /** The media type in the response. */
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether `bytes` is the whole file. */
  readonly isWhole: boolean;
  /** Reads the rest of a partial file; undefined if the server does not support ranges. */
  readonly parts?: FileParts | undefined;
}

/** A file in an archive. */
export interface PackedFile {
  readonly name: string;
  /** In bytes; undefined if the archive does not record it before the file. */
  readonly size: number | undefined;
  /** The bytes that were read; undefined if the file was not extracted. */
  readonly bytes?: Uint8Array;
}

/** A preview. */
export type Preview =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "markdown"; readonly text: string }
  | {
    readonly kind: "table";
    readonly rows: readonly (readonly string[])[];
    readonly isCut: boolean;
    /** The types of the columns, if the file contains them. */
    readonly types?: readonly string[];
    readonly leftOut?: readonly { readonly name: string; readonly reason: string }[];
  }
  /**
   * Data that browsers display natively, either the file or its decompressed content. PDF opens in the browser's
   * viewer.
   */
  | {
    readonly kind: "image" | "audio" | "video" | "pdf";
    readonly type: string;
    readonly bytes: Uint8Array<ArrayBuffer>;
  }
  | { readonly kind: "html"; readonly text: string }
  | { readonly kind: "packed"; readonly files: readonly PackedFile[]; readonly isWhole: boolean }
  | { readonly kind: "empty" }
  /** Data that is not text and can be downloaded only. `reason` is why a file of a known format is not shown. */
  | { readonly kind: "binary"; readonly format?: "Parquet"; readonly reason?: string };

const MAX_ROWS = 1_000;
/** The maximum number of bytes that are decompressed: a small compressed file may expand to a very large one. */
const MAX_UNPACKED = 16 * 1024 * 1024;
const MAX_TEXT_LENGTH = 1024 * 1024;
/** The maximum number of layers of compression that are removed: some files decompress to themselves. */
const MAX_LAYERS = 3;

const IMAGES: readonly (readonly [magic: readonly number[], type: string])[] = [
  [[0x89, 0x50, 0x4e, 0x47], "image/png"],
  [[0xff, 0xd8, 0xff], "image/jpeg"],
  [[0x47, 0x49, 0x46, 0x38], "image/gif"],
];

/** Signatures of audio, video and image formats; a dot matches any byte. */
const MEDIA: readonly (readonly [beginning: RegExp, kind: "image" | "audio" | "video", type: string])[] = [
  [/^RIFF....WAVE/s, "audio", "audio/wav"],
  [/^RIFF....WEBP/s, "image", "image/webp"],
  [/^(ID3|\xff[\xf2\xf3\xfb])/, "audio", "audio/mpeg"],
  [/^fLaC/, "audio", "audio/flac"],
  [/^OggS.{24,}(theora)/s, "video", "video/ogg"],
  [/^OggS/, "audio", "audio/ogg"],
  [/^....ftypavif/s, "image", "image/avif"],
  [/^....ftypM4A/s, "audio", "audio/mp4"],
  [/^....ftyp/s, "video", "video/mp4"],
  [/^.E\xdf\xa3/s, "video", "video/webm"],
];

/** The signature of Parquet, followed by a control character: text may also start with these four letters. */
const PARQUET = /^PAR1(?!\s)\p{Cc}/u;

/** Reports whether a file starts like Parquet. The index of its rows is at its end. */
export function beginsAsParquet(bytes: Uint8Array): boolean {
  return PARQUET.test(beginningOf(bytes));
}

/** Returns the first bytes as one character each. */
function beginningOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 64));
}

const BINARY: Preview = { kind: "binary" };

/** Chooses the preview of a file. */
export async function previewOf(file: FileBytes): Promise<Preview> {
  return await previewInLayer(file, 0);
}

/** The preview of a file inside `layer` layers of compression. */
async function previewInLayer(file: FileBytes, layer: number): Promise<Preview> {
  const { bytes, name, type, isWhole } = file;
  if (bytes.length === 0) return { kind: "empty" };
  const [, image] = IMAGES.find(([magic]) => magic.every((byte, index) => bytes[index] === byte)) ?? [];
  if (image) return { kind: "image", type: image, bytes };
  const beginning = beginningOf(bytes);
  const [, kind, media = ""] = MEDIA.find(([signs]) => signs.test(beginning)) ?? [];
  if (kind) return { kind, type: media, bytes };
  if (beginning.startsWith("%PDF-")) return { kind: "pdf", type: "application/pdf", bytes };
  if (type.startsWith("image/svg")) return { kind: "image", type: "image/svg+xml", bytes };
  if (isGzip(bytes) || isZstd(bytes)) return layer < MAX_LAYERS ? await previewOfCompressed(file, layer + 1) : BINARY;
  if (beginsAsParquet(bytes)) return await parquetPreview(file);
  const files = beginsAsZip(bytes) ? zipFiles(bytes) : tarFiles(bytes);
  if (files.length > 0) return archivePreview(files, isWhole);
  const text = textOf(bytes);
  if (text === undefined) return BINARY;
  const isAllText = isWhole && bytes.length <= MAX_TEXT_LENGTH;
  // A frame loads the stored file, so HTML inside a compressed file is shown as text.
  if (/\.html?$/i.test(name) || type.startsWith("text/html")) return { kind: layer === 0 ? "html" : "text", text };
  if (/\.(md|markdown)$/i.test(name) || type.startsWith("text/markdown")) return { kind: "markdown", text };
  if (/\.[ct]sv$/i.test(name) || type.startsWith("text/csv")) {
    const { rows, isCut } = rowsOf(text, /\.tsv$/i.test(name) ? "\t" : ",");
    return { kind: "table", rows, isCut: isCut || !isAllText };
  }
  const lines = jsonRowsOf(text, isAllText);
  if (lines) return { kind: "table", ...lines };
  if (isAllText && (/\.json$/i.test(name) || type.startsWith("application/json"))) {
    return { kind: "text", text: formatJson(text) };
  }
  return { kind: "text", text };
}

async function parquetPreview({ bytes, isWhole, parts }: FileBytes): Promise<Preview> {
  const whole: FileParts = { size: bytes.length, read: (from, to) => Promise.resolve(bytes.subarray(from, to)) };
  const file = isWhole ? whole : parts;
  if (!file) {
    const reason = cannotBeReadInParts;
    return { kind: "binary", format: "Parquet", reason };
  }
  const { ParquetError, parquetTable } = await loadPart(() => import("./parquet/parquet_table.ts"));
  try {
    const { rows, types, count, leftOut } = await parquetTable(file);
    return { kind: "table", rows, types, leftOut, isCut: count > rows.length - 1 };
  } catch (error) {
    if (!(error instanceof ParquetError)) throw error;
    return { kind: "binary", format: "Parquet", reason: error.message };
  }
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/**
 * Decompresses a gzip file (the default for artifacts) or a zstd file: archives are listed, and single files are shown.
 */
async function previewOfCompressed({ bytes, name, isWhole }: FileBytes, layer: number): Promise<Preview> {
  const { content, isAll } = isGzip(bytes)
    ? await gunzip(bytes, MAX_UNPACKED)
    : (await loadPart(() => import("./unzstd.ts"))).unzstd(bytes, MAX_UNPACKED);
  if (content.length === 0) return BINARY;
  const files = tarFiles(content);
  if (files.length > 0) return archivePreview(files, isWhole && isAll);
  const inner = name.replace(/\.(gz|tgz|zst)$/i, "");
  return await previewInLayer({ name: inner, type: "", bytes: content, isWhole: isWhole && isAll }, layer);
}

/** The listing of an archive. One with the maximum number of files may have more. */
function archivePreview(files: readonly PackedFile[], isWhole: boolean): Preview {
  return { kind: "packed", files, isWhole: isWhole && files.length < MAX_FILES };
}

/** Decodes text; returns undefined for other data. A character that is cut at the end is dropped. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_LENGTH), { stream: true });
  const beginning = text.slice(0, 4_096);
  // Control characters other than tabs and line breaks, and invalid bytes; logs contain a few of them.
  const strange = beginning.match(/(?!\s)\p{Cc}|\ufffd/gu)?.length ?? 0;
  return strange * 20 > beginning.length ? undefined : text;
}

/** Deeply nested JSON would be mostly indentation, so it stays unchanged. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text), undefined, 2);
  } catch {
    return text;
  }
}

/** Returns the first rows of a table. Quoted cells may contain separators, line breaks and doubled quotes. */
export function rowsOf(text: string, separator: string): { rows: string[][]; isCut: boolean } {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let offset = 0; offset < text.length; offset++) {
    const sign = text[offset]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[offset + 1] === '"') cell += text[++offset];
      else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === separator) {
      row.push(cell);
      cell = "";
    } else if (sign === "\n") {
      rows.push([...row, cell.replace(/\r$/, "")]);
      [row, cell] = [[], ""];
      if (rows.length === MAX_ROWS) return { rows, isCut: offset < text.length - 1 };
    } else cell += sign;
  }
  if (cell !== "" || row.length > 0) rows.push([...row, cell]);
  return { rows, isCut: false };
}

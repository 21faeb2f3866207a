/**
 * The formats in which nodes are compressed: gzip, which every client of Argo reads, and zstd and brotli, to which a
 * controller of Argo 4.1 can be set. Browsers know gzip only.
 */

/** The format in which nodes are written, and how hard it tries; without a level that it has as hard as is usual. */
export interface NodeCompression {
  readonly format: NodeFormat;
  readonly level?: number | undefined;
}

export type NodeFormat = "gzip" | "zstd" | "brotli";

/** The levels of each format, and the usual one: those of Argo. */
export const LEVELS: Readonly<
  Record<NodeFormat, { readonly least: number; readonly most: number; readonly usual: number }>
> = {
  gzip: { least: 1, most: 9, usual: 6 },
  zstd: { least: 1, most: 4, usual: 2 },
  brotli: { least: 0, most: 11, usual: 6 },
};

/** The levels of the library, by those of zstd that Argo has: fastest, default, better, best. */
const ZSTD_LEVELS: readonly number[] = [1, 3, 7, 11];

/** The bytes of a text, compressed. */
export async function compressed(text: string, { format, level }: NodeCompression): Promise<Uint8Array> {
  if (format === "gzip" && level === undefined) {
    return await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).bytes();
  }
  const { createGzip, createZstdCompress, createBrotliCompress, constants } = zlib(format);
  const { least, most, usual } = LEVELS[format];
  const at = level === undefined || level < least || level > most ? usual : level;
  const packer = format === "gzip"
    ? createGzip({ level: at })
    : format === "zstd"
    ? createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVELS[at - 1] ?? at } })
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: at } });
  packer.end(new TextEncoder().encode(text));
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of packer) chunks.push(chunk);
  return await new Blob(chunks).bytes();
}

/** The pieces of what was compressed, as they are asked for: the format is told by the first bytes, as Argo does it. */
export function unpacked(bytes: Uint8Array<ArrayBuffer>): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const format = formatOf(bytes);
  if (format === "gzip") return inSlices(bytes).pipeThrough(new DecompressionStream("gzip"));
  const { createZstdDecompress, createBrotliDecompress } = zlib(format);
  const unpacker = format === "zstd" ? createZstdDecompress() : createBrotliDecompress();
  unpacker.end(bytes);
  return unpacker;
}

/** The format of the text of `status.compressedNodes`. */
export function formatOfNodes(text: string): NodeFormat {
  return formatOf(Uint8Array.fromBase64(text));
}

/** Brotli has no first bytes of its own: what is nothing else. */
function formatOf(bytes: Uint8Array): NodeFormat {
  const startsWith = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
  if (startsWith(0x1f, 0x8b)) return "gzip";
  return startsWith(0x28, 0xb5, 0x2f, 0xfd) ? "zstd" : "brotli";
}

/** A stream unpacks each piece that it is given at once, a thousandfold at most: small pieces keep that small. */
function inSlices(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at += SLICE_BYTES));
    },
  }, { highWaterMark: 0 });
}

const SLICE_BYTES = 1024;

/** The machine's own library: asked for when it is needed, for browsers, which read this file too, have none. */
function zlib(format: NodeFormat) {
  if (typeof process === "undefined") throw new Error(`${format} is not known in browsers`);
  return process.getBuiltinModule("node:zlib");
}

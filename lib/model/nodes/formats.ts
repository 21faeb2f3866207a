/**
 * The compression formats of nodes: gzip, which every client of Argo reads, and zstd and brotli, which controllers of
 * Argo 4.1 can be set to. Browsers support only gzip.
 */

/** The format and level for writing nodes. Levels outside the format's range mean its default. */
export interface NodeCompression {
  readonly format: NodeFormat;
  readonly level?: number | undefined;
}

export type NodeFormat = "gzip" | "zstd" | "brotli";

/** The levels of each format and the default, as in Argo. */
export const LEVELS: Readonly<
  Record<NodeFormat, { readonly min: number; readonly max: number; readonly usual: number }>
> = {
  gzip: { min: 1, max: 9, usual: 6 },
  zstd: { min: 1, max: 4, usual: 2 },
  brotli: { min: 0, max: 11, usual: 6 },
};

/** The library's levels for Argo's zstd levels: fastest, default, better, best. */
const ZSTD_LEVELS: readonly number[] = [1, 3, 7, 11];

/** Compresses a text. */
export async function compress(text: string, { format, level }: NodeCompression): Promise<Uint8Array> {
  if (format === "gzip" && level === undefined) {
    return await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).bytes();
  }
  const { createGzip, createZstdCompress, createBrotliCompress, constants } = zlib(format);
  const { min, max, usual } = LEVELS[format];
  const used = level === undefined || level < min || level > max ? usual : level;
  const packer = format === "gzip"
    ? createGzip({ level: used })
    : format === "zstd"
    ? createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVELS[used - 1] ?? used } })
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: used } });
  packer.end(new TextEncoder().encode(text));
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of packer) chunks.push(chunk);
  return await new Blob(chunks).bytes();
}

/** Decompresses in pieces on demand. The format is detected from the first bytes, as in Argo. */
export function decompress(bytes: Uint8Array<ArrayBuffer>): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const format = formatOf(bytes);
  if (format === "gzip") return inSlices(bytes).pipeThrough(new DecompressionStream("gzip"));
  const { createZstdDecompress, createBrotliDecompress } = zlib(format);
  const unpacker = format === "zstd" ? createZstdDecompress() : createBrotliDecompress();
  unpacker.end(bytes);
  return unpacker;
}

/** Returns the format of `status.compressedNodes`. */
export function formatOfNodes(text: string): NodeFormat {
  return formatOf(Uint8Array.fromBase64(text));
}

/** Detects the format. Brotli has no magic number: it is the fallback. */
function formatOf(bytes: Uint8Array): NodeFormat {
  const startsWith = (...magic: number[]) => magic.every((byte, index) => bytes[index] === byte);
  if (startsWith(0x1f, 0x8b)) return "gzip";
  return startsWith(0x28, 0xb5, 0x2f, 0xfd) ? "zstd" : "brotli";
}

/** Splits the input: each piece is decompressed at once, up to a thousandfold, so small pieces bound the memory. */
function inSlices(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(offset, offset += SLICE_BYTES));
    },
  }, { highWaterMark: 0 });
}

const SLICE_BYTES = 1024;

/** Returns Node's zlib, on demand, since browsers also load this file. */
function zlib(format: NodeFormat) {
  if (typeof process === "undefined") throw new Error(`${format} is not known in browsers`);
  return process.getBuiltinModule("node:zlib");
}

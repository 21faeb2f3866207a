/** Compression of archives, as streams. */

type Bytes = Uint8Array<ArrayBuffer>;

/** Number of bytes passed between streams at once. */
const CHUNK_BYTES = 65_536;

/** Compresses with a level from 0 (stored) to 9. If undefined or -1, the runtime chooses. */
export async function gzip(level?: number): Promise<TransformStream<Bytes, Bytes>> {
  if (level === undefined || level === -1) return new CompressionStream("gzip") as TransformStream<Bytes, Bytes>;
  // The web stream does not support levels. Node's streams are large, so they are loaded only if a level is given.
  const [{ createGzip }, { Duplex }] = await Promise.all([import("node:zlib"), import("node:stream")]);
  // deno-lint-ignore tiphys/no-double-cast -- what Node calls a stream of the web is one
  return Duplex.toWeb(createGzip({ level, chunkSize: CHUNK_BYTES })) as unknown as TransformStream<Bytes, Bytes>;
}

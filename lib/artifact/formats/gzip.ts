/** Compression of archives, as streams. */

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that are handed from one stream to the next at once. */
const CHUNK_BYTES = 65_536;

/** Compresses; `level` goes from 0 (only packed) to 9, without it (or with -1) the runtime chooses. */
export async function gzip(level?: number): Promise<TransformStream<Bytes, Bytes>> {
  if (level === undefined || level === -1) return new CompressionStream("gzip") as TransformStream<Bytes, Bytes>;
  // The web's own stream knows no levels. Loaded only where one is asked for: Node's streams are large.
  const [{ createGzip }, { Duplex }] = await Promise.all([import("node:zlib"), import("node:stream")]);
  // deno-lint-ignore tiphys/no-double-cast -- what Node calls a stream of the web is one
  return Duplex.toWeb(createGzip({ level, chunkSize: CHUNK_BYTES })) as unknown as TransformStream<Bytes, Bytes>;
}

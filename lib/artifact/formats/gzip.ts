/** Compression of archives, as streams. */

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that are handed from one stream to the next at once. */
const CHUNK_BYTES = 65_536;

/** Compresses; `level` goes from 0 (only packed) to 9, without it (or with -1) the runtime chooses. */
export async function gzip(level?: number): Promise<TransformStream<Bytes, Bytes>> {
  if (level === undefined || level === -1) return new CompressionStream("gzip") as TransformStream<Bytes, Bytes>;
  // The web's own stream knows no levels. Loaded only where one is asked for: Node's streams are large.
  const [{ createGzip }, { Duplex }] = await Promise.all([import("node:zlib"), import("node:stream")]);
  return Duplex.toWeb(createGzip({ level, chunkSize: CHUNK_BYTES })) as unknown as TransformStream<Bytes, Bytes>;
}

/**
 * Decompresses one member after the other: files may be made of several.
 * @throws {Error} when it is cut or damaged, or something else than zeros follows them.
 */
export async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Bytes> {
  // The web's own stream takes a single member only.
  const [{ createGunzip }, { pipeline, Readable }] = await Promise.all([import("node:zlib"), import("node:stream")]);
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  let failed: unknown;
  const source = (async function* () {
    try {
      yield* packed;
    } catch (error) {
      failed = error;
      throw error;
    }
  })();
  // The iteration below says what went wrong.
  pipeline(Readable.from(source, { highWaterMark: 1 }), unpacked, () => {});
  try {
    yield* unpacked;
  } catch (error) {
    if (failed !== undefined) throw failed;
    const { message } = error as Error;
    throw new Error(`the archive is damaged: ${message}`, { cause: error });
  }
}

/** Whether content begins like a gzip file. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

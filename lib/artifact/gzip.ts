/** Compression on the way to a file and back. */

/** Compresses; `level` goes from 0 (only packed) to 9, without it the runtime chooses. */
export async function gzip(level?: number): Promise<TransformStream<Uint8Array<ArrayBuffer>, Uint8Array>> {
  if (level === undefined) return new CompressionStream("gzip");
  // The web's own stream knows no levels. Loaded only where one is asked for: Node's streams are large.
  const [{ createGzip }, { Duplex }] = await Promise.all([import("node:zlib"), import("node:stream")]);
  return Duplex.toWeb(createGzip({ level })) as unknown as TransformStream<Uint8Array<ArrayBuffer>, Uint8Array>;
}

/** Whether a file begins like a gzip file. */
export async function isGzip(file: string): Promise<boolean> {
  using opened = await Deno.open(file);
  const start = new Uint8Array(2);
  return await opened.read(start) === 2 && start[0] === 0x1f && start[1] === 0x8b;
}

/** The content of a file, decompressed when it is compressed. */
export async function openCompressed(file: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const compressed = await isGzip(file);
  const { readable } = await Deno.open(file);
  return compressed ? readable.pipeThrough(new DecompressionStream("gzip")) : readable;
}

/** Decompresses streams. The format is detected by the first bytes, because media types can be wrong. */
import { pipeline, Readable, type Transform } from "node:stream";

/** Returns the decompressed content. Supports gzip and zstd; other content is unchanged. */
export async function decompress(content: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const [first, whole] = await readStart(content);
  if (startsWith(first, [0x1f, 0x8b])) {
    return whole.pipeThrough(new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
  }
  if (startsWith(first, [0x28, 0xb5, 0x2f, 0xfd])) {
    const { createZstdDecompress } = await import("node:zlib");
    const decoder: Transform = createZstdDecompress();
    // `pipeline` ends both streams together, and forwards errors of either to the reader.
    pipeline(Readable.from(whole), decoder, () => {});
    return ReadableStream.from(decoder as AsyncIterable<Uint8Array>);
  }
  return whole;
}

const MAX_MAGIC_BYTES = 4;

/** Returns the first bytes, and the whole stream including them. */
async function readStart(content: ReadableStream<Uint8Array>): Promise<[Uint8Array, ReadableStream<Uint8Array>]> {
  const reader = content.getReader();
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < MAX_MAGIC_BYTES;) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  const first = new Uint8Array(chunks.flatMap((chunk) => [...chunk.subarray(0, MAX_MAGIC_BYTES)]));
  const whole = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks.shift() ?? (await reader.read()).value;
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return [first, whole];
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

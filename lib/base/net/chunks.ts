/**
 * Reads the chunks of a stream into one reused buffer if the stream supports it, so that moving gigabytes produces no
 * garbage.
 */
import { fillingSource, type StreamSource } from "./byte_stream.ts";
import type { Bytes, Source } from "./net.ts";

/** The size of that buffer in bytes. */
const BUFFER_BYTES = 262_144;

/** Chunks in a reused buffer: each is valid until the next one is requested. Copy a chunk to keep it. */
export type TransientChunks<Chunk extends Uint8Array = Bytes> = AsyncGenerator<Chunk, void, undefined>;

/** Yields the chunks of a stream of `size` bytes in order. Ending the iteration early cancels the stream. */
export async function* chunksOf(stream: ReadableStream<Bytes>, size: number): TransientChunks {
  const filling = fillingSource(stream);
  if (!filling) return yield* stream;
  let buffer = new ArrayBuffer(Math.max(1, Math.min(size, BUFFER_BYTES)));
  // The stream is canceled only between reads. A read in progress yields, ends or fails by itself.
  let isLeft = false;
  try {
    for (;;) {
      const part = await filling.read(new Uint8Array(buffer));
      if (!part || part.length === 0) return;
      isLeft = true;
      yield part;
      isLeft = false;
      buffer = part.buffer;
    }
  } finally {
    if (isLeft) await cancelSource(filling);
  }
}

/** Returns the bytes of a content from `start` to `end` as a content. */
export function sliceOf(source: Source, start: number, end: number): Source {
  return { size: end - start, open: (from, to) => source.open(start + from, start + to) };
}

/** Releases the memory of a buffer immediately instead of waiting for a garbage collection. */
export function freeBuffer(buffer: ArrayBuffer): void {
  if (!buffer.detached) buffer.transfer(0);
}

async function cancelSource({ cancel }: StreamSource): Promise<void> {
  try {
    await cancel();
  } catch {
    // The stream has failed in the meantime.
  }
}

/** Yields the chunks of a body in order. As in {@link chunksOf}, a chunk is valid until the next one is requested. */
export function partsOf(body: Bytes | Source): Iterable<Bytes> | AsyncIterable<Bytes> {
  if (body instanceof Uint8Array) return [body];
  const whole = body.whole?.();
  if (whole) return [whole];
  return chunksOf(body.open(0, body.size), body.size);
}

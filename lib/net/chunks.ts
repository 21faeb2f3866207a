/** The chunks of a stream, read into one buffer where the stream can fill one: what moves gigabytes leaves no garbage then. */
import { fillingReader } from "./byte_stream.ts";
import type { Bytes, Source } from "./net.ts";

/** Bytes that are read at once where the buffer is ours. */
const BUFFER_BYTES = 262_144;

/**
 * Chunks that pass: each is good until the next is asked for, which may overwrite it. Who wants to keep one copies it.
 * What takes such chunks says so by this type.
 */
export type Passing<Chunk extends Uint8Array = Bytes> = AsyncGenerator<Chunk, void, undefined>;

/** The chunks of a stream of so many bytes, in order. Who ends early gives the stream up. */
export async function* chunksOf(stream: ReadableStream<Bytes>, size: number): Passing {
  const filling = fillingReader(stream);
  if (!filling) return yield* stream;
  let buffer = new ArrayBuffer(Math.max(1, Math.min(size, BUFFER_BYTES)));
  try {
    for (;;) {
      const { done, value } = await filling.read(new Uint8Array(buffer));
      if (done || !value) return;
      yield value;
      buffer = value.buffer;
    }
  } finally {
    await filling.cancel().catch(() => {});
  }
}

/** The chunks of a body, in order, which pass as those of {@link chunksOf}. */
export function partsOf(body: Bytes | Source): Iterable<Bytes> | AsyncIterable<Bytes> {
  if (body instanceof Uint8Array) return [body];
  const whole = body.whole?.();
  if (whole) return [whole];
  return chunksOf(body.open(0, body.size), body.size);
}

/** The chunks of a stream, read into one buffer where the stream can fill one: what moves gigabytes leaves no garbage then. */
import type { Bytes, Source } from "./net.ts";

/** Bytes that are read at once where the buffer is ours. */
const BUFFER_BYTES = 65_536;

/**
 * The chunks of a stream of so many bytes, in order; each is good until the next is asked for. Who ends early gives the
 * stream up.
 */
export async function* chunksOf(stream: ReadableStream<Bytes>, size: number): AsyncGenerator<Bytes> {
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

/** The chunks of a body, in order; each is good until the next is asked for. */
export function partsOf(body: Bytes | Source): Iterable<Bytes> | AsyncIterable<Bytes> {
  if (body instanceof Uint8Array) return [body];
  const whole = body.whole?.();
  if (whole) return [whole];
  return chunksOf(body.open(0, body.size), body.size);
}

/** A reader that fills the buffers of its caller; undefined for a stream that only hands out its own. */
function fillingReader(stream: ReadableStream<Bytes>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

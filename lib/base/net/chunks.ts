/** The chunks of a stream, read into one buffer where the stream can fill one: what moves gigabytes leaves no garbage then. */
import { fillingOf, type Reading } from "./byte_stream.ts";
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
  const filling = fillingOf(stream);
  if (!filling) return yield* stream;
  let buffer = new ArrayBuffer(Math.max(1, Math.min(size, BUFFER_BYTES)));
  // While it is read it is not given up: it comes, it ends, or it fails.
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
    if (isLeft) await giveUp(filling);
  }
}

/** The bytes of a content from `start` to `end`, as a content of its own. */
export function sliceOf(source: Source, start: number, end: number): Source {
  return { size: end - start, open: (from, to) => source.open(start + from, start + to) };
}

/** Gives back memory that is nobody else's now, not when somebody collects it. */
export function free(buffer: ArrayBuffer): void {
  if (!buffer.detached) buffer.transfer(0);
}

async function giveUp({ cancel }: Reading): Promise<void> {
  try {
    await cancel();
  } catch {
    // It failed meanwhile, which is as good.
  }
}

/** The chunks of a body, in order, which pass as those of {@link chunksOf}. */
export function partsOf(body: Bytes | Source): Iterable<Bytes> | AsyncIterable<Bytes> {
  if (body instanceof Uint8Array) return [body];
  const whole = body.whole?.();
  if (whole) return [whole];
  return chunksOf(body.open(0, body.size), body.size);
}

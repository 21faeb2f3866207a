/**
 * Streams of bytes that fill the buffer of their reader where it brings one (`getReader({ mode: "byob" })`), and hand out
 * chunks of their own otherwise. So the reader decides who owns a chunk: one that brings no buffer may keep each.
 */
import type { Bytes } from "./net.ts";

/**
 * Reads what comes next. With `into`, whose buffer is given away, the answer is the beginning of the same memory (perhaps
 * in a buffer that took it over); without, it is bytes in a buffer that nobody else has. At the end it is undefined, or,
 * where the memory was taken over, the empty beginning of it; before that it is never empty.
 */
export type ReadNext = (into?: Bytes) => Promise<Bytes | undefined>;

/** The two things that can be done with bytes that come: reading on, and giving them up. */
export interface Reading {
  readonly read: ReadNext;
  readonly cancel: (reason?: unknown) => unknown;
}

/** The readings below streams that nobody has read of, nor given up. */
const untouched = new WeakMap<ReadableStream<Bytes>, Reading>();

/** A stream of what is read; nothing is read before it is asked for. */
export function byteStream(next: ReadNext, cancel: (reason?: unknown) => unknown): ReadableStream<Bytes> {
  const stream: ReadableStream<Bytes> = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      untouched.delete(stream);
      const request = controller.byobRequest;
      const view = request?.view;
      const into = view ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : undefined;
      const part = await next(into as Bytes | undefined);
      if (part === undefined || part.length === 0) {
        controller.close();
        part && request ? request.respondWithNewView(part) : request?.respond(0);
      } else if (request) request.respondWithNewView(part);
      else controller.enqueue(part);
    },
    cancel: async (reason) => {
      untouched.delete(stream);
      await cancel(reason);
    },
  }, { highWaterMark: 0 });
  untouched.set(stream, { read: next, cancel });
  return stream;
}

/**
 * The reading of a stream into buffers of its reader, which has the stream for itself from then on; undefined for a
 * stream that only hands out chunks of its own. What lies below a {@link byteStream} is read without it: a stream hands
 * each buffer over and back, through several promises. A reading has no state: who came to its end, or saw it fail, reads
 * no more of it, and has nothing to give up.
 */
export function fillingOf(stream: ReadableStream<Bytes>): Reading | undefined {
  const below = readingBelow(stream);
  if (below) return below;
  const reader = fillingReader(stream);
  return reader && {
    read: async (into) => (await reader.read(into!)).value as Bytes | undefined,
    cancel: (reason) => reader.cancel(reason),
  };
}

/** The reading below a stream that nobody has touched, which is locked from then on; undefined for other streams. */
function readingBelow(stream: ReadableStream<Bytes>): Reading | undefined {
  const below = stream.locked ? undefined : untouched.get(stream);
  if (below) stream.getReader();
  untouched.delete(stream);
  return below;
}

/** The things that are done to a stream on its way. */
export interface OnTheWay {
  /** Sees each chunk, which it may not keep. */
  readonly see?: (part: Bytes) => void;
  /** Called before the end is told: what it throws, or rejects with, is the end instead. */
  readonly atEnd?: () => void | Promise<void>;
  /** The error that stands for a failure of the stream. */
  readonly failed?: (error: unknown) => unknown;
}

/** The same stream, looked at on its way. It fills its reader's buffers where the stream below can. */
export function passedOn(stream: ReadableStream<Bytes>, { see, atEnd, failed }: OnTheWay): ReadableStream<Bytes> {
  const source = new Readers(stream);
  const next: ReadNext = async (into) => {
    let part: Bytes | undefined;
    try {
      part = await source.read(into);
    } catch (error) {
      throw failed ? failed(error) : error;
    }
    if (part === undefined || part.length === 0) await atEnd?.();
    else see?.(part);
    return part;
  };
  const cancel = async (reason: unknown) => void await source.cancel(reason);
  if (source.fills) return byteStream(next, cancel);
  return new ReadableStream({
    async pull(controller) {
      const part = await next();
      part === undefined ? controller.close() : controller.enqueue(part);
    },
    cancel,
  }, { highWaterMark: 0 });
}

/** The readers of a stream: of the one kind or the other, as the bytes are wanted. */
class Readers {
  readonly #stream: ReadableStream<Bytes>;
  readonly #below: Reading | undefined;
  #filling: ReadableStreamBYOBReader | undefined;
  #plain: ReadableStreamDefaultReader<Bytes> | undefined;
  /** Whether the stream can fill a buffer. */
  readonly fills: boolean;

  constructor(stream: ReadableStream<Bytes>) {
    this.#stream = stream;
    this.#below = readingBelow(stream);
    if (!this.#below) this.#filling = fillingReader(stream);
    this.fills = this.#below !== undefined || this.#filling !== undefined;
    if (!this.fills) this.#plain = stream.getReader();
  }

  async read(into: Bytes | undefined): Promise<Bytes | undefined> {
    if (this.#below) return await this.#below.read(into);
    if (into) {
      this.#plain?.releaseLock();
      this.#plain = undefined;
      this.#filling ??= this.#stream.getReader({ mode: "byob" });
      return (await this.#filling.read(into)).value as Bytes | undefined;
    }
    this.#filling?.releaseLock();
    this.#filling = undefined;
    this.#plain ??= this.#stream.getReader();
    const { done, value } = await this.#plain.read();
    return done ? undefined : value;
  }

  cancel(reason: unknown): unknown {
    return (this.#below ?? this.#filling ?? this.#plain)?.cancel(reason);
  }
}

/** A reader that fills the buffers of its caller; undefined for a stream that only hands out its own. */
function fillingReader(stream: ReadableStream<Bytes>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError && !stream.locked) return undefined;
    throw error;
  }
}

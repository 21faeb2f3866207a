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

/** A stream of what is read; nothing is read before it is asked for. */
export function byteStream(next: ReadNext, cancel: (reason?: unknown) => unknown): ReadableStream<Bytes> {
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
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
      await cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/** The things that are done to a stream on its way. */
export interface OnTheWay {
  /** Sees each chunk, which it may not keep. */
  readonly see?: (part: Bytes) => void;
  /** Called before the end is told: what it throws is the end instead. */
  readonly atEnd?: () => void;
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
    part === undefined || part.length === 0 ? atEnd?.() : see?.(part);
    return part;
  };
  const cancel = (reason: unknown) => source.cancel(reason);
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
  #filling: ReadableStreamBYOBReader | undefined;
  #plain: ReadableStreamDefaultReader<Bytes> | undefined;
  /** Whether the stream can fill a buffer. */
  readonly fills: boolean;

  constructor(stream: ReadableStream<Bytes>) {
    this.#stream = stream;
    this.#filling = fillingReader(stream);
    this.fills = this.#filling !== undefined;
    if (!this.fills) this.#plain = stream.getReader();
  }

  async read(into: Bytes | undefined): Promise<Bytes | undefined> {
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

  cancel(reason: unknown): Promise<void> | undefined {
    return (this.#filling ?? this.#plain)?.cancel(reason);
  }
}

/** A reader that fills the buffers of its caller; undefined for a stream that only hands out its own. */
export function fillingReader(stream: ReadableStream<Bytes>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError && !stream.locked) return undefined;
    throw error;
  }
}

/**
 * Byte streams that fill the reader's buffer if it provides one (`getReader({ mode: "byob" })`), and otherwise yield
 * new chunks. So the reader decides who owns a chunk: without a buffer, it may keep each one.
 */
import type { Bytes } from "./net.ts";

/**
 * Reads the next bytes. With `into`, whose buffer is transferred, the result is the beginning of the same memory
 * (possibly in a new buffer); without it, the result is a buffer that the caller owns. At the end, returns undefined
 * or, if the memory was transferred, its empty beginning; otherwise the result is never empty.
 */
export type ReadNext = (into?: Bytes) => Promise<Bytes | undefined>;

/** The source of a stream: reads the next bytes, or cancels the rest. */
export interface StreamSource {
  readonly read: ReadNext;
  readonly cancel: (reason?: unknown) => unknown;
}

/** The sources of streams that were neither read nor canceled. */
const unreadSources = new WeakMap<ReadableStream<Bytes>, StreamSource>();

/** Returns a stream over a source; nothing is read before the stream is. */
export function byteStream(next: ReadNext, cancel: (reason?: unknown) => unknown): ReadableStream<Bytes> {
  const stream: ReadableStream<Bytes> = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      unreadSources.delete(stream);
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
      unreadSources.delete(stream);
      await cancel(reason);
    },
  }, { highWaterMark: 0 });
  unreadSources.set(stream, { read: next, cancel });
  return stream;
}

/**
 * Returns the source of a stream, which is locked from then on, if it can fill buffers of the reader; otherwise
 * undefined. The source of a {@link byteStream} is read directly: a stream would transfer each buffer twice, through
 * several promises. A source has no state: after its end or an error, do not read or cancel it.
 */
export function fillingSource(stream: ReadableStream<Bytes>): StreamSource | undefined {
  const below = takeSource(stream);
  if (below) return below;
  const reader = fillingReader(stream);
  return reader && {
    read: async (into) => (await reader.read(into!)).value as Bytes | undefined,
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Returns the source of an untouched stream, which is locked from then on; undefined for other streams. */
function takeSource(stream: ReadableStream<Bytes>): StreamSource | undefined {
  const below = stream.locked ? undefined : unreadSources.get(stream);
  if (below) stream.getReader();
  unreadSources.delete(stream);
  return below;
}

/** Hooks on the chunks of a stream. */
export interface StreamHooks {
  /** Sees each chunk, which it must not keep. */
  readonly see?: (part: Bytes) => void;
  /** Called before the end is passed on: if it throws or rejects, the stream fails with that error. */
  readonly atEnd?: () => void | Promise<void>;
  /** Maps the error of a stream. */
  readonly failed?: (error: unknown) => unknown;
}

/** Returns the same stream with hooks. It fills its reader's buffers if the source can. */
export function tapStream(stream: ReadableStream<Bytes>, { see, atEnd, failed }: StreamHooks): ReadableStream<Bytes> {
  const source = new StreamReader(stream);
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
  if (source.canFill) return byteStream(next, cancel);
  return new ReadableStream({
    async pull(controller) {
      const part = await next();
      part === undefined ? controller.close() : controller.enqueue(part);
    },
    cancel,
  }, { highWaterMark: 0 });
}

/** Reads a stream with either kind of reader, depending on whether the caller provides a buffer. */
class StreamReader {
  readonly #stream: ReadableStream<Bytes>;
  readonly #below: StreamSource | undefined;
  #filling: ReadableStreamBYOBReader | undefined;
  #plain: ReadableStreamDefaultReader<Bytes> | undefined;
  /** Whether the stream can fill a buffer. */
  readonly canFill: boolean;

  constructor(stream: ReadableStream<Bytes>) {
    this.#stream = stream;
    this.#below = takeSource(stream);
    if (!this.#below) this.#filling = fillingReader(stream);
    this.canFill = this.#below !== undefined || this.#filling !== undefined;
    if (!this.canFill) this.#plain = stream.getReader();
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

/** Returns a reader that fills the caller's buffers; undefined if the stream does not support it. */
function fillingReader(stream: ReadableStream<Bytes>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError && !stream.locked) return undefined;
    throw error;
  }
}

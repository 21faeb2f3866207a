/**
 * Byte streams for artifact drivers: from memory, limited to a range, and buffered in a file so that they can be read
 * again.
 */
import type { Bytes, Source } from "./net/mod.ts";

/** Returns a stream of bytes in memory. */
export function streamOf(bytes: Bytes): ReadableStream<Bytes> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** Returns the bytes from `from` to `to` of a stream and cancels the rest. */
export function streamRange(stream: ReadableStream<Bytes>, from: number, to = Infinity): ReadableStream<Bytes> {
  const reader = stream.getReader();
  let offset = 0;
  return new ReadableStream<Bytes>({
    async pull(controller) {
      while (true) {
        const { done, value } = offset < to ? await reader.read() : { done: true, value: undefined };
        if (done || !value) {
          if (offset >= to) await reader.cancel();
          return controller.close();
        }
        const wanted = value.subarray(Math.max(0, from - offset), Math.max(0, to - offset));
        offset += value.length;
        if (wanted.length > 0) return controller.enqueue(wanted);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Yields the content in pieces of `size` bytes; the last one may be smaller. Yields nothing for empty content. */
export async function* pieces(content: Source | ReadableStream<Bytes>, size: number): AsyncGenerator<Bytes> {
  const stream = content instanceof ReadableStream ? content : content.open(0, content.size);
  let piece = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of stream) {
    let taken = 0;
    while (taken < chunk.length) {
      const part = chunk.subarray(taken, taken + size - filled);
      piece.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.slice(0, filled);
}

/** Content that can be read again, stored until it is disposed of. */
export interface StoredContent extends AsyncDisposable {
  readonly source: Source;
}

/** Stores a stream in a temporary file, for servers that need the length first. */
export async function storeStream(content: Source | ReadableStream<Bytes>, stop: AbortSignal): Promise<StoredContent> {
  if (!(content instanceof ReadableStream)) return { source: content, [Symbol.asyncDispose]: () => Promise.resolve() };
  const path = await Deno.makeTempFile({ prefix: "tiphys-upload-" });
  const forget = () => Deno.remove(path);
  try {
    await Deno.writeFile(path, content, { mode: 0o600, signal: stop });
    const { size } = await Deno.stat(path);
    return { source: { size, open: (from, to) => fileStream(path, from, to) }, [Symbol.asyncDispose]: forget };
  } catch (error) {
    await forget();
    throw error;
  }
}

function fileStream(path: string, from: number, to: number): ReadableStream<Bytes> {
  let file: Deno.FsFile | undefined;
  let offset = from;
  const close = () => {
    file?.close();
    file = undefined;
  };
  return new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        file ??= await openAtOffset(path, from);
        const chunk = new Uint8Array(Math.min(64 * 1024, to - offset));
        const count = chunk.length > 0 ? await file.read(chunk) : null;
        if (count === null) {
          close();
          return controller.close();
        }
        offset += count;
        controller.enqueue(chunk.subarray(0, count));
      } catch (error) {
        close();
        throw error;
      }
    },
    cancel: close,
  }, { highWaterMark: 0 });
}

async function openAtOffset(path: string, from: number): Promise<Deno.FsFile> {
  const file = await Deno.open(path);
  await file.seek(from, Deno.SeekMode.Start);
  return file;
}

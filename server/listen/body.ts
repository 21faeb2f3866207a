/** The body of a request of Node's servers as a stream of the web. */
import type { Readable } from "node:stream";

/**
 * A stream that takes no more from the client than is read of it. When it is cancelled the rest is thrown away as it comes, so
 * that the answer still reaches the client. (Deno's `Readable.toWeb` ends the process there: what comes late is an
 * uncaught error.)
 */
export function bodyOf(incoming: Readable): ReadableStream<Uint8Array> {
  let isOver = false;
  const over = (act: () => void) => {
    if (isOver) return;
    isOver = true;
    act();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.pause();
      incoming.on("data", (chunk: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => over(() => controller.close()));
      const broken = (error?: unknown) =>
        over(() => controller.error(error ?? new DOMException("The client has left", "AbortError")));
      incoming.on("error", broken);
      incoming.once("close", () => broken());
      incoming.pause();
    },
    pull: () => void incoming.resume(),
    cancel() {
      isOver = true;
      incoming.resume();
    },
  }, { highWaterMark: 0 });
}

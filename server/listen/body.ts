/** The body of a request of Node's servers as a stream of the web. */
import type { Readable } from "node:stream";

/** The body of a request. */
export interface RequestBody {
  /** Takes no more from the client than is read of it. When it is cancelled the rest is thrown away. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Takes what nobody has read when the request was answered, and forgets it: the client may wait until all is taken. */
  giveUp(): void;
}

/** The reasons why a request is over. Each ends one way or the other: to make an error for it takes longer than the rest of it. */
export const CLIENT_LEFT = new DOMException("The client has left", "AbortError");
const ANSWERED = new DOMException("The request has been answered", "AbortError");

/** Makes the body. (Deno's `Readable.toWeb` ends the process when it is cancelled: what comes late is an uncaught error.) */
export function bodyOf(incoming: Readable): RequestBody {
  let isOver = false;
  const over = (act: () => void) => {
    if (isOver) return;
    isOver = true;
    act();
  };
  let breakOff = (_error: unknown) => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      breakOff = (error) => over(() => controller.error(error));
      incoming.pause();
      incoming.on("data", (chunk: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => over(() => controller.close()));
      incoming.on("error", breakOff);
      incoming.once("close", () => breakOff(CLIENT_LEFT));
      incoming.pause();
    },
    pull: () => void incoming.resume(),
    cancel() {
      isOver = true;
      incoming.resume();
    },
  }, { highWaterMark: 0 });
  return {
    stream,
    giveUp() {
      breakOff(ANSWERED);
      incoming.resume();
    },
  };
}

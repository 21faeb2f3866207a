/** The body of a request of Node's servers as a stream of the web. */
import type { Readable } from "node:stream";
import { CODE, WireError } from "../wire/errors.ts";
import { type ClientWait, MACHINE, STALL_MILLIS } from "./client_wait.ts";

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

/**
 * Makes the body. It fails where its client sends nothing for too long while somebody waits for more of it. (Deno's
 * `Readable.toWeb` ends the process when it is cancelled: what comes late is an uncaught error.)
 */
export function bodyOf(
  incoming: Readable,
  { stallMillis = STALL_MILLIS, timers = MACHINE }: ClientWait = {},
): RequestBody {
  let isOver = false;
  let takeBack = () => {};
  const over = (act: () => void) => {
    takeBack();
    if (isOver) return;
    isOver = true;
    act();
  };
  const late = () =>
    breakOff(new WireError(CODE.canceled, `nothing of the body has come within ${stallMillis / 1000} s`));
  let breakOff = (_error: unknown) => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      breakOff = (error) => over(() => controller.error(error));
      incoming.pause();
      incoming.on("data", (chunk: Uint8Array) => {
        if (isOver) return;
        takeBack();
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => over(() => controller.close()));
      const left = () => breakOff(new WireError(CODE.canceled, "the client left before the end of the body"));
      incoming.on("error", left);
      incoming.once("close", left);
      incoming.pause();
    },
    pull() {
      takeBack();
      takeBack = timers.after(stallMillis, late);
      incoming.resume();
    },
    cancel() {
      takeBack();
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

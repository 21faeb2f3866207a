/** Conversion of a Node request body into a web stream. */
import type { Readable } from "node:stream";
import { CODE, WireError } from "../wire/errors.ts";
import { type ClientWait, MACHINE, STALL_MILLIS } from "./client_wait.ts";

/** The body of a request. */
export interface RequestBody {
  /** Reads from the client only on demand. Canceling it discards the rest. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Discards the unread rest after the request was answered: the client may wait until its whole body was received. */
  discardRest(): void;
}

/**
 * The reasons why a request ends. They are constants, because every request ends with one, and creating an error takes
 * longer than the rest.
 */
export const CLIENT_LEFT = new DOMException("The client has disconnected", "AbortError");
const ANSWERED = new DOMException("The request has been answered", "AbortError");

/**
 * Creates the body. It fails if the client sends nothing for too long while a reader waits. (Deno's `Readable.toWeb`
 * crashes the process when it is canceled, because late data causes an uncaught error.)
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
    breakOff(new WireError(CODE.canceled, `no data of the body received within ${stallMillis / 1000} s`));
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
      const left = () => breakOff(new WireError(CODE.canceled, "the client disconnected before the end of the body"));
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
    discardRest() {
      breakOff(ANSWERED);
      incoming.resume();
    },
  };
}

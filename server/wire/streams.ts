/** Streams of answers: a JSON object a line, or events of `text/event-stream`. */
import { type Clock, systemClock } from "@tiphys/base/clock";
import { streamError, type WireError } from "./errors.ts";
import type { FieldMask } from "./field_mask.ts";

/** The form in which a stream is sent, and the way to end it. */
export interface StreamOptions {
  readonly mask: FieldMask;
  /** Whether it is sent as events, to clients that asked for exactly `text/event-stream`; else as lines. */
  readonly asEvents: boolean;
  /** Whether its items are texts that are sent as they are. */
  readonly isWritten?: boolean;
  /** Sorts what the source threw. */
  readonly sort: (error: unknown) => WireError;
  /** Ends the source: aborted when the client has left. */
  readonly abort: (reason: unknown) => void;
  /** The time after which a silent stream of events gives a sign of life; Argo's by default. */
  readonly keepAliveMillis?: number;
}

const KEEP_ALIVE_MILLIS = 15_000;

/** The time for which a stream's head waits for its first message; one that has nothing to say yet is to open soon. */
const FIRST_MILLIS = 40;

const encoder = new TextEncoder();

/** Whether a request asks for events. */
export function asksForEvents(request: Request): boolean {
  return request.headers.get("accept") === "text/event-stream";
}

/** The headers of a stream. */
export function streamHeaders(asEvents: boolean): Record<string, string> {
  return asEvents
    ? { "content-type": "text/event-stream", "x-content-type-options": "nosniff", "cache-control": "no-cache" }
    : { "content-type": "application/json" };
}

/** One message as it is sent. */
export function messageText(message: unknown, asEvents: boolean): string {
  const json = JSON.stringify(message);
  // Argo's events end with a blank and three line feeds, and its clients read from the sixth byte of the line.
  return asEvents ? `data: ${json} \n\n\n` : `${json}\n`;
}

/** The items of an answer in batches: those that are there at once are sent at once. */
export function batchesOf(
  answer:
    | { readonly stream: AsyncIterable<unknown> }
    | { readonly batches: AsyncIterable<readonly unknown[]> }
    | { readonly written: AsyncIterable<readonly string[]> },
): AsyncIterable<readonly unknown[]> {
  if ("written" in answer) return answer.written;
  return "batches" in answer ? answer.batches : oneByOne(answer.stream);
}

async function* oneByOne(stream: AsyncIterable<unknown>): AsyncGenerator<readonly unknown[]> {
  for await (const item of stream) yield [item];
}

/**
 * The stream once its first message is there, or has not come in a while: one that fails before it said anything is a
 * refusal, with the status of that.
 * @throws what the source threw.
 */
export async function opened<Item>(
  source: AsyncIterable<Item>,
  clock: Clock = systemClock,
): Promise<AsyncIterable<Item>> {
  const items = source[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<Item>> | undefined = items.next();
  // Whoever reads on is told of a failure that comes later.
  first.catch(() => {});
  const late = Promise.withResolvers<void>();
  const takeBack = clock.after(FIRST_MILLIS, late.resolve);
  try {
    await Promise.race([first, late.promise]);
  } finally {
    takeBack();
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const next = first ?? items.next();
        first = undefined;
        return next;
      },
      return: async () => await items.return?.() ?? { done: true, value: undefined },
    }),
  };
}

/** The body of a stream: each item as `{"result": …}`, and, where the source fails, the error as the last thing said. */
export function streamBody(
  source: AsyncIterable<readonly unknown[]>,
  options: StreamOptions,
): ReadableStream<Uint8Array> {
  const { mask, asEvents, isWritten = false, sort, abort, keepAliveMillis = KEEP_ALIVE_MILLIS } = options;
  const batches = source[Symbol.asyncIterator]();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isLeft = false;
  const stopTimer = () => clearInterval(timer);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (!asEvents) return;
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(":\n"));
      }, keepAliveMillis);
      Deno.unrefTimer(timer);
    },
    async pull(controller) {
      try {
        for (let text = ""; text === "";) {
          const { done, value } = await batches.next();
          if (isLeft) return;
          if (done) {
            stopTimer();
            return controller.close();
          }
          for (const result of value) {
            text += isWritten ? String(result) : messageText(mask.apply({ result }), asEvents);
          }
          if (text !== "") controller.enqueue(encoder.encode(text));
        }
      } catch (error) {
        if (isLeft) return;
        stopTimer();
        controller.enqueue(encoder.encode(messageText(streamError(sort(error)), asEvents)));
        controller.close();
      }
    },
    cancel(reason) {
      isLeft = true;
      stopTimer();
      abort(reason);
      // Nobody waits for the end of a source that nobody reads; what it threw meanwhile is nobody's affair either.
      batches.return?.().catch(() => {});
    },
  }, { highWaterMark: 1 });
}

/** Streamed responses: one JSON object per line, or server-sent events. */
import { type Clock, systemClock } from "@tiphys/base/clock";
import { streamError, type WireError } from "./errors.ts";
import type { FieldMask } from "./field_mask.ts";

/** The format of a stream, and the function that ends it. */
export interface StreamOptions {
  readonly mask: FieldMask;
  /** Whether to send events, if the client accepts exactly `text/event-stream`; otherwise lines. */
  readonly asEvents: boolean;
  /** Whether the items are serialized already. */
  readonly isWritten?: boolean;
  /** Converts an error of the source. */
  readonly sort: (error: unknown) => WireError;
  /** Ends the source. Called when the client has disconnected. */
  readonly abort: (reason: unknown) => void;
  /** After how long an idle event stream sends a keep-alive comment. Argo's value by default. */
  readonly keepAliveMillis?: number;
}

const KEEP_ALIVE_MILLIS = 15_000;

/** The time for which the head of a response waits for the first message. Streams without messages must open soon. */
const FIRST_MILLIS = 40;

const encoder = new TextEncoder();

/** Reports whether a request accepts exactly events. */
export function acceptsEventStream(request: Request): boolean {
  return request.headers.get("accept") === "text/event-stream";
}

/** The headers of a stream. */
export function streamHeaders(asEvents: boolean): Record<string, string> {
  return asEvents
    ? { "content-type": "text/event-stream", "x-content-type-options": "nosniff", "cache-control": "no-cache" }
    : { "content-type": "application/json" };
}

/** Serializes a message. */
export function messageText(message: unknown, asEvents: boolean): string {
  const json = JSON.stringify(message);
  // Argo's events end with a space and three line feeds, and its clients read from the sixth byte of the line.
  return asEvents ? `data: ${json} \n\n\n` : `${json}\n`;
}

/** The items of an answer in batches. A batch is sent at once. */
export function batchesOf(
  answer:
    | { readonly stream: AsyncIterable<unknown> }
    | { readonly batches: AsyncIterable<readonly unknown[]> }
    | { readonly written: AsyncIterable<readonly string[]> },
): AsyncIterable<readonly unknown[]> {
  if ("written" in answer) return answer.written;
  return "batches" in answer ? answer.batches : singleBatches(answer.stream);
}

async function* singleBatches(stream: AsyncIterable<unknown>): AsyncGenerator<readonly unknown[]> {
  for await (const item of stream) yield [item];
}

/**
 * Waits for the first message of a stream, for a limited time. A stream that fails before its first message results in
 * an error response with a status.
 * @throws the error of the source.
 */
export async function waitForFirst<Item>(
  source: AsyncIterable<Item>,
  clock: Clock = systemClock,
): Promise<AsyncIterable<Item>> {
  const items = source[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<Item>> | undefined = items.next();
  // A later failure is thrown to the reader of the result.
  first.catch(() => {});
  const late = Promise.withResolvers<void>();
  const cancelTimer = clock.after(FIRST_MILLIS, late.resolve);
  try {
    await Promise.race([first, late.promise]);
  } finally {
    cancelTimer();
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

/** The body of a stream: each item as `{"result": …}`. If the source fails, the error is the last message. */
export function streamBody(
  source: AsyncIterable<readonly unknown[]>,
  options: StreamOptions,
): ReadableStream<Uint8Array> {
  const { mask, asEvents, isWritten = false, sort, abort, keepAliveMillis = KEEP_ALIVE_MILLIS } = options;
  const batches = source[Symbol.asyncIterator]();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isCanceled = false;
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
          if (isCanceled) return;
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
        if (isCanceled) return;
        stopTimer();
        controller.enqueue(encoder.encode(messageText(streamError(sort(error)), asEvents)));
        controller.close();
      }
    },
    cancel(reason) {
      isCanceled = true;
      stopTimer();
      abort(reason);
      // Not awaited: nothing depends on the end of the source, and its errors are irrelevant now.
      batches.return?.().catch(() => {});
    },
  }, { highWaterMark: 1 });
}

/** Responses that are counted when they end: at once, or when the last message of their stream was sent. */
import type { Answer } from "../routes/route.ts";
import { CODE, type Code } from "../wire/errors.ts";
import { batchesOf } from "../wire/streams.ts";
import type { Handling } from "./server_metrics.ts";

/**
 * Wraps a response so that it is counted. A client that disconnects from a stream counts as a successful end.
 * @param codeOf converts errors of the stream.
 */
export function withCounts(answer: Answer, handling: Handling, codeOf: (error: unknown) => Code): Answer {
  if ("written" in answer) return { written: countBody(answer.written, handling, codeOf) };
  if ("stream" in answer || "batches" in answer) return { batches: countBody(batchesOf(answer), handling, codeOf) };
  handling.recordSent(1);
  handling.recordEnd(CODE.ok);
  return answer;
}

function countBody<T>(
  source: AsyncIterable<readonly T[]>,
  handling: Handling,
  codeOf: (error: unknown) => Code,
): AsyncIterable<readonly T[]> {
  return {
    [Symbol.asyncIterator]() {
      const items = source[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const next = await items.next();
            if (next.done) handling.recordEnd(CODE.ok);
            else handling.recordSent(next.value.length);
            return next;
          } catch (error) {
            handling.recordEnd(codeOf(error));
            throw error;
          }
        },
        async return() {
          handling.recordEnd(CODE.ok);
          return await items.return?.() ?? { done: true as const, value: undefined };
        },
      };
    },
  };
}

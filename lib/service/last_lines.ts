/** Limits a log to its last lines. */
import type { ReadLine } from "./log_lines.ts";

/**
 * Maximum memory of the lines that are kept while a log is read, in characters, and that of a line in addition to its
 * text.
 */
const MAX_KEPT_CHARACTERS = 16 << 20;
const LINE_CHARACTERS = 32;

/**
 * Returns the last lines of a log that has an end; all lines without a limit. If they need more memory than the limit,
 * the log is read twice: once to count its lines.
 */
export async function* lastLines(
  open: () => AsyncIterable<readonly ReadLine[]>,
  limit: number | undefined,
  maxKept: number = MAX_KEPT_CHARACTERS,
): AsyncGenerator<readonly ReadLine[]> {
  if (limit === undefined) return yield* open();
  if (limit <= 0) return;
  const kept: (readonly ReadLine[])[] = [];
  let keptLines = 0;
  let keptCharacters = 0;
  let all = 0;
  let isTooMuch = false;
  for await (const batch of open()) {
    all += batch.length;
    if (isTooMuch) continue;
    kept.push(batch);
    keptLines += batch.length;
    keptCharacters += sizeOf(batch);
    while (keptLines - kept[0]!.length >= limit) {
      const dropped = kept.shift()!;
      keptLines -= dropped.length;
      keptCharacters -= sizeOf(dropped);
    }
    isTooMuch = keptCharacters > maxKept;
    if (isTooMuch) kept.length = 0;
  }
  if (isTooMuch) return yield* linesAfter(open(), all - limit);
  const [first, ...others] = kept;
  if (first) yield first.slice(Math.max(0, keptLines - limit));
  yield* others;
}

async function* linesAfter(
  batches: AsyncIterable<readonly ReadLine[]>,
  count: number,
): AsyncGenerator<readonly ReadLine[]> {
  let left = count;
  for await (const batch of batches) {
    const wanted = left > 0 ? batch.slice(left) : batch;
    left -= batch.length;
    if (wanted.length > 0) yield wanted;
  }
}

function sizeOf(batch: readonly ReadLine[]): number {
  return batch.reduce((sum, { text }) => sum + text.length + LINE_CHARACTERS, 0);
}

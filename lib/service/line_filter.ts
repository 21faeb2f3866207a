/** Filters the lines of a log. A search can be expensive, since both the expression and the lines come from users. */
import { nextTurn } from "@tiphys/base/turns";
import { UserError } from "@tiphys/base/user_error";
import { compileRegex, MeterError, patternSize } from "@tiphys/language/template/expr/regex";

/** Maximum number of nodes of an expression: compiling more would delay other work. */
const MAX_NODES = 5_000;
/** Maximum milliseconds of the search in one line. */
const MAX_LINE_MILLIS = 250;
/** Milliseconds of searches after which other work gets a turn. */
const MAX_TURN_MILLIS = 20;

/**
 * Returns a predicate for lines that contain a match of a regular expression; without one, it accepts all lines. The
 * expression has Go's syntax and is matched in linear time.
 * @throws when it is invalid. The predicate throws a {@link UserError} when the search in a line takes too long.
 */
export function lineFilter(
  pattern: string | undefined,
  now: () => number = () => performance.now(),
): (line: string) => boolean {
  if (pattern === undefined) return () => true;
  if (patternSize(pattern) > MAX_NODES) {
    throw new UserError(`error parsing regexp: expression too large: a search in logs may have ${MAX_NODES} parts`);
  }
  const expression = compileRegex(pattern);
  return (line) => {
    try {
      return expression.matchesWithin(MAX_LINE_MILLIS, line, now);
    } catch (error) {
      if (!(error instanceof MeterError)) throw error;
      throw new UserError(
        `grep: the search in a line of ${line.length} characters took more than ${MAX_LINE_MILLIS} ms: ` +
          "use a simpler expression",
        { cause: error },
      );
    }
  };
}

/** Yields the items of batches that a predicate accepts. Long searches let other work of the thread proceed. */
export async function* filterBatches<T>(
  batches: AsyncIterable<readonly T[]>,
  isWanted: (item: T) => boolean,
  now: () => number = () => performance.now(),
): AsyncGenerator<readonly T[]> {
  let turn = now();
  for await (const batch of batches) {
    const wanted: T[] = [];
    for (const item of batch) {
      if (isWanted(item)) wanted.push(item);
      if (now() - turn < MAX_TURN_MILLIS) continue;
      await nextTurn("logs");
      turn = now();
    }
    if (wanted.length > 0) yield wanted;
  }
}

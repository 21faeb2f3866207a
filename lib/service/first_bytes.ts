/** Limits a log to its first bytes. */
import type { ReadLine } from "./log_lines.ts";

/**
 * Returns the lines within the first bytes of a log, the last of which may be cut; all lines without a limit. `prefix`
 * returns the number of characters of a line that are not shown to the reader and so are not counted.
 */
export async function* firstBytes(
  batches: AsyncIterable<readonly ReadLine[]>,
  most: number | undefined,
  prefix: (line: ReadLine) => number = () => 0,
): AsyncGenerator<readonly ReadLine[]> {
  if (most === undefined) return yield* batches;
  let left = most;
  let isBegun = false;
  for await (const batch of batches) {
    const kept: ReadLine[] = [];
    for (const line of batch) {
      // A line ends where the next one begins; a long line comes in pieces.
      if (isBegun && !line.isRest) left--;
      isBegun = true;
      if (left <= 0) break;
      const hidden = prefix(line);
      const bytes = new TextEncoder().encode(line.text.slice(hidden));
      // A character that does not fit is omitted.
      const text = new TextDecoder().decode(bytes.subarray(0, left), { stream: true });
      kept.push({ ...line, text: line.text.slice(0, hidden) + text });
      left -= bytes.length;
    }
    if (kept.length > 0) yield kept;
    if (left <= 0) return;
  }
}

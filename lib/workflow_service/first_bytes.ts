/** The beginning of a log, where only so many bytes of it are wanted. */
import type { ReadLine } from "./log_lines.ts";

/**
 * The lines within the first bytes of a log, the last of which may be cut; without a limit all of them. `prefix` tells how many
 * characters of a line its reader is not shown: they count for nothing.
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
      // A line ends where the next one begins: a long one comes in pieces.
      if (isBegun && !line.isRest) left--;
      isBegun = true;
      if (left <= 0) break;
      const hidden = prefix(line);
      const bytes = new TextEncoder().encode(line.text.slice(hidden));
      // A character that does not fit is left out.
      const text = new TextDecoder().decode(bytes.subarray(0, left), { stream: true });
      kept.push({ ...line, text: line.text.slice(0, hidden) + text });
      left -= bytes.length;
    }
    if (kept.length > 0) yield kept;
    if (left <= 0) return;
  }
}

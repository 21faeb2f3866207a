/** Limits a log to its first bytes. */
import type { ReadLine } from "./log_lines.ts";

/**
 * Returns the lines within the first bytes of a log, the last of which may be cut; all lines without a limit. `prefix`
 * returns the number of characters of a line that are not shown to the reader and so are not counted.
 */
export async function* firstBytes(
  batches: AsyncIterable<readonly ReadLine[]>,
  max: number | undefined,
  prefix: (line: ReadLine) => number = () => 0,
): AsyncGenerator<readonly ReadLine[]> {
  if (max === undefined) return yield* batches;
  const encoder = new TextEncoder();
  let left = max;
  let isBegun = false;
  for await (const batch of batches) {
    const kept: ReadLine[] = [];
    for (const line of batch) {
      // A long line arrives in several pieces; it ends where the next line begins.
      if (isBegun && !line.isRest) left--;
      isBegun = true;
      if (left <= 0) break;
      const hidden = prefix(line);
      const bytes = encoder.encode(line.text.slice(hidden));
      left -= bytes.length;
      kept.push(
        left >= 0 ? line : { ...line, text: line.text.slice(0, hidden) + wholeCharacters(bytes.slice(0, left)) },
      );
    }
    if (kept.length > 0) yield kept;
    if (left <= 0) return;
  }
}

/** Decodes bytes without those of a last character that is incomplete. */
function wholeCharacters(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

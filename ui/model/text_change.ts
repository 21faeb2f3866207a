/** The smallest single replacement that turns one text into another. Pure. */

/** A range of a text, and its replacement. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Returns the difference of two texts as one replacement, or undefined if they are equal. */
export function changeBetween(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  // A surrogate pair is replaced as a whole.
  if (from > 0 && isHalf(before.charCodeAt(from - 1), 0xd800)) from--;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  if (same > 0 && isHalf(before.charCodeAt(before.length - same), 0xdc00)) same--;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

/** Reports whether a code unit is a surrogate of the kind that starts at `first`. */
function isHalf(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}

/** The change that makes one text of another: the least piece in one place. Pure. */

/** A piece of a text, and what comes in its place. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** What differs between two texts, as one piece; undefined where nothing does. */
export function changeBetween(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  // A sign of two units is changed as a whole.
  if (from > 0 && isHalf(before.charCodeAt(from - 1), 0xd800)) from--;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  if (same > 0 && isHalf(before.charCodeAt(before.length - same), 0xdc00)) same--;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

/** Whether a unit is the half of a sign that begins with such. */
function isHalf(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}

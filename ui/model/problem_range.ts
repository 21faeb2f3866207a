/** The part of a line that a problem marks. A problem has a start, but no end. Pure. */

/** Returns the range at a column, counted from 0: a word, a quoted text, or one character, without leading blanks. */
export function problemRange(line: string, column: number): { readonly from: number; readonly to: number } {
  const rest = line.slice(column);
  const trimmed = rest.trimStart();
  const from = trimmed === "" ? Math.min(column, line.length) : column + rest.length - trimmed.length;
  const [piece] = /^(?:"[^"]*"|'[^']*'|[^\s,:{}[\]#]+)/.exec(trimmed) ?? [];
  return { from, to: Math.min(line.length, from + Math.max(1, piece?.length ?? 1)) };
}

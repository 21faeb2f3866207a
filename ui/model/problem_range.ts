/** The piece of a line that a problem is about: it has a place where it begins, and no end. Pure. */

/** The piece at a column, counted from 0: a word, a text in quotes, or one sign; blanks before it are none of it. */
export function problemRange(line: string, column: number): { readonly from: number; readonly to: number } {
  const rest = line.slice(column);
  const trimmed = rest.trimStart();
  const from = trimmed === "" ? Math.min(column, line.length) : column + rest.length - trimmed.length;
  const [piece] = /^(?:"[^"]*"|'[^']*'|[^\s,:{}[\]#]+)/.exec(trimmed) ?? [];
  return { from, to: Math.min(line.length, from + Math.max(1, piece?.length ?? 1)) };
}

/** The piece of a line that a problem is about: it has a place where it begins, and no end. Pure. */

/** The end of what begins at a column, counted from 0: a word, a text in quotes, or one sign. */
export function problemEnd(line: string, column: number): number {
  const [piece] = /^(?:"[^"]*"|'[^']*'|[^\s,:{}[\]#]+)/.exec(line.slice(column)) ?? [];
  return Math.min(line.length, column + Math.max(1, piece?.length ?? 1));
}

/** The text of a selection over lines of a log, of which few are drawn at a time. Pure. */

/** An end of a selection: a line, and the letters of its text that stand before it; without them, all of the line is meant. */
export interface LogPoint {
  readonly line: number;
  readonly at?: number | undefined;
}

/** The rows that are shown. */
export interface ShownLines {
  readonly count: number;
  readonly lineAt: (row: number) => number;
  /** The text of a line as it is shown. */
  readonly textOf: (line: number) => string;
}

/** The most letters that are copied: beyond them there is the download. */
const MOST_LETTERS = 64_000_000;

/** The text between two ends, whichever is the first; whole lines up to the most that is copied. */
export function copiedText(one: LogPoint, other: LogPoint, { count, lineAt, textOf }: ShownLines): string {
  const [from, to] = one.line < other.line || one.line === other.line && (one.at ?? 0) <= (other.at ?? Infinity)
    ? [one, other]
    : [other, one];
  const lines: string[] = [];
  let letters = 0;
  for (let row = firstRow(from.line, count, lineAt); row < count && letters < MOST_LETTERS; row++) {
    const line = lineAt(row);
    if (line > to.line) break;
    const text = textOf(line);
    lines.push(
      text.slice(line === from.line ? from.at ?? 0 : 0, line === to.line ? to.at ?? text.length : text.length),
    );
    letters += text.length + 1;
  }
  return lines.join("\n");
}

/** The first row whose line is not before another: that one may be hidden by now. */
function firstRow(line: number, count: number, lineAt: (row: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lineAt(middle) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text of a selection in a log of which few lines are rendered. Pure. */

/** An end of a selection: a line, and the offset in its text; without an offset the whole line is selected. */
export interface LogPoint {
  readonly line: number;
  readonly at?: number | undefined;
}

/** The visible rows. */
export interface ShownLines {
  readonly count: number;
  readonly lineAt: (row: number) => number;
  /** Returns the text of a line as it is displayed. */
  readonly textOf: (line: number) => string;
}

/** The maximum number of characters that are copied; larger selections need the download. */
const MAX_LETTERS = 64_000_000;

/** Returns the text between two ends in either order, in whole lines up to the limit. */
export function copiedText(logPoint: LogPoint, other: LogPoint, { count, lineAt, textOf }: ShownLines): string {
  const [from, to] =
    logPoint.line < other.line || logPoint.line === other.line && (logPoint.at ?? 0) <= (other.at ?? Infinity)
      ? [logPoint, other]
      : [other, logPoint];
  const lines: string[] = [];
  let letters = 0;
  for (let row = firstRow(from.line, count, lineAt); row < count && letters < MAX_LETTERS; row++) {
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

/** Returns the first row at or after a line, which may be hidden by now. */
function firstRow(line: number, count: number, lineAt: (row: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lineAt(middle) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

import stringWidth from "string-width";

/** Columns up to this width are aligned. A longer cell would add as many spaces to every row. */
const MAX_ALIGNED_WIDTH = 1_000;

/**
 * Aligns the cells of rows in columns, with `gap` spaces between them. Widths are those on a screen: colors have no width, and wide
 * characters have two columns. Lines have no trailing spaces.
 */
export function tableLines(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) =>
      widths[column] = Math.max(widths[column] ?? 0, Math.min(MAX_ALIGNED_WIDTH, stringWidth(cell)))
    );
  }
  const padded = (cell: string, column: number) =>
    cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)) + gap);
  return rows.map((row) => row.map(padded).join("").trimEnd());
}

/** Cuts a line to a number of columns. */
export function fitLine(line: string, columns: number): string {
  if (stringWidth(line) <= columns) return line;
  let shown = "";
  let width = 0;
  for (const part of partsOf(line)) {
    width += stringWidth(part);
    if (width >= columns) return `${shown}\x1b[0m…`;
    shown += part;
  }
  return shown;
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Yields colors, which have no width and are not cut, and the characters between them. */
function* partsOf(line: string): Generator<string> {
  // deno-lint-ignore no-control-regex -- the expression searches for colors
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    if (part.startsWith("\x1b")) yield part;
    else for (const { segment } of characters.segment(part)) yield segment;
  }
}

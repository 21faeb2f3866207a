import stringWidth from "string-width";

/**
 * Aligns the cells of rows in columns, with `gap` spaces between them. Widths are those on a screen: colors have no width, and wide
 * characters have two columns. Lines have no trailing spaces.
 */
export function tableLines(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell)));
  }
  return rows.map((row) =>
    row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - stringWidth(cell) + gap)).join("").trimEnd()
  );
}

/** Cuts a line to a number of columns. */
export function fitLine(line: string, columns: number): string {
  if (stringWidth(line) <= columns) return line;
  let shown = "";
  // deno-lint-ignore no-control-regex -- colors have no width and are not cut
  for (const part of line.match(/\x1b\[[\d;]*m|./gsu) ?? []) {
    if (!part.startsWith("\x1b") && stringWidth(shown + part) >= columns) return `${shown}\x1b[0m…`;
    shown += part;
  }
  return shown;
}

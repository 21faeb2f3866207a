import stringWidth from "string-width";

/**
 * Lines with their cells under each other, two spaces (or `gap`) between columns; widths are those on a screen, so colours
 * and wide characters do not disturb them. Nothing is written after the last cell that says something.
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

/** The line, cut to so many columns. */
export function fitLine(line: string, columns: number): string {
  if (stringWidth(line) <= columns) return line;
  let shown = "";
  // deno-lint-ignore no-control-regex -- colours have no width and are kept whole
  for (const part of line.match(/\x1b\[[\d;]*m|./gsu) ?? []) {
    if (!part.startsWith("\x1b") && stringWidth(shown + part) >= columns) return `${shown}\x1b[0m…`;
    shown += part;
  }
  return shown;
}

import { eastAsianWidth } from "get-east-asian-width";

/** Columns up to this width are aligned. A longer cell would add as many spaces to every row. */
const MAX_ALIGNED_WIDTH = 1_000;

/**
 * Aligns the cells of rows in columns, with `gap` spaces between them. Widths are those on a screen: colors have no
 * width, and wide characters have two columns. Lines have no trailing spaces.
 */
export function tableLines(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) =>
      widths[column] = Math.max(widths[column] ?? 0, Math.min(MAX_ALIGNED_WIDTH, textWidth(cell)))
    );
  }
  const padded = (cell: string, column: number) =>
    cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - textWidth(cell)) + gap);
  return rows.map((row) => row.map(padded).join("").trimEnd());
}

// deno-lint-ignore no-control-regex -- the expression searches for colors
const COLORS = /\x1b\[[\d;]*m/g;

/** A character without columns: a control, a mark, a joiner or a skin tone. */
const WITHOUT_WIDTH = /[\p{Control}\p{Mark}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/u;

const JOINER = "\u200d";

/**
 * The columns of a text on a screen. The package string-width knows a few more sequences of emoji, but costs each start
 * 20 ms for its expressions.
 */
function textWidth(text: string): number {
  const visible = text.includes("\x1b") ? text.replace(COLORS, "") : text;
  if (/^[\x20-\x7e]*$/.test(visible)) return visible.length;
  let width = 0;
  let before = "";
  for (const character of visible) {
    const hasWidth = before !== JOINER && !WITHOUT_WIDTH.test(character);
    if (hasWidth) width += eastAsianWidth(character.codePointAt(0)!);
    before = character;
  }
  return width;
}

/** Cuts a line to a number of columns. */
export function fitLine(line: string, columns: number): string {
  if (textWidth(line) <= columns) return line;
  let shown = "";
  let width = 0;
  for (const part of partsOf(line)) {
    width += textWidth(part);
    if (width >= columns) return `${shown}\x1b[0m…`;
    shown += part;
  }
  return shown;
}

/** Yields colors, which have no width and are not cut, and the characters between them. */
function* partsOf(line: string): Generator<string> {
  // Created on use, because that takes 10 ms.
  const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  // deno-lint-ignore no-control-regex -- the expression searches for colors
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    if (part.startsWith("\x1b")) yield part;
    else for (const { segment } of characters.segment(part)) yield segment;
  }
}

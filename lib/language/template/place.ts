/** Positions in a text, for messages: line, column, and a caret under the character. */

/** A position in a text: UTF-16 offset, line and column (both from 1, columns in characters). */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** The place of an error in a text, and a hint for the author. */
export interface SourceLocation {
  readonly source: string;
  /** UTF-16 offset in the source. */
  readonly offset: number;
  /** The tokens that would be accepted, or the nearest known name. */
  readonly hint?: string;
}

/** Returns the line and column of an offset. */
export function positionOf(source: string, offset: number): Position {
  const before = source.slice(0, offset);
  const line = before.split("\n").length;
  const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
  return { offset, line, column };
}

/** Number of characters shown on each side of the caret. */
const MAX_SHOWN = 80;

/**
 * A reason, its line and column, the line itself with a caret under the place, and the hint:
 *
 * ```text
 * unexpected token EOF (1:4)
 *  | 1 +
 *  | ...^
 *  expected a value
 * ```
 */
export function messageWithCaret(reason: string, { source, offset, hint }: SourceLocation): string {
  const { line, column } = positionOf(source, offset);
  const place = `${reason} (${line}:${column})`;
  const shown = lineWithCaret(source, line, column);
  if (shown.length === 0) return hint === undefined ? place : `${place}: ${hint}`;
  return [place, ...shown.map((line) => ` | ${line}`), ...(hint === undefined ? [] : [` ${hint}`])].join("\n");
}

/**
 * Returns a line of a text and a second line with a caret at a column. Shows only a part of a long line; an empty line
 * returns an empty list.
 */
export function lineWithCaret(source: string, line: number, column: number): readonly string[] {
  const characters = [...(source.split(/\r?\n/)[line - 1] ?? "").replaceAll("\t", " ")];
  if (characters.length === 0) return [];
  const from = Math.max(0, column - 1 - MAX_SHOWN);
  return [characters.slice(from, column - 1 + MAX_SHOWN).join(""), ".".repeat(column - 1 - from) + "^"];
}

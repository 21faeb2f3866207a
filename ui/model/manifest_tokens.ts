/** Splits lines of YAML or JSON into tokens for syntax highlighting, one line at a time. Pure. */

/** The kind of a token; undefined is plain text. */
export type TokenKind =
  | "comment"
  | "propertyName"
  | "string"
  | "number"
  | "atom"
  | "labelName"
  | "punctuation"
  | "meta"
  | undefined;

/** The state between lines. */
export interface TokenState {
  /**
   * The column of the field that has a block text as value; lines that are indented further belong to the text. -1
   * outside a block.
   */
  block: number;
  /** The column of the field or item of the line. */
  column: number;
  /** The quote of a text that continues on the next line. */
  quote: string;
}

/** Returns the state before the first line. */
export function firstState(): TokenState {
  return { block: -1, column: -1, quote: "" };
}

/** A token of a line. */
export interface Token {
  readonly end: number;
  readonly kind: TokenKind;
}

/** Returns the token that starts at an offset, which must be before the end of the line. Updates the state. */
export function tokenAt(line: string, from: number, state: TokenState): Token {
  if (from === 0) {
    const indent = line.length - line.trimStart().length;
    if (state.block >= 0 && (indent > state.block || indent === line.length)) {
      return { end: line.length, kind: "string" };
    }
    state.block = -1;
    state.column = -1;
  }
  if (state.quote !== "") return readQuoted(line, from, state);
  const sign = line[from]!;
  if (isBlank(sign)) return { end: blanksAfter(line, from), kind: undefined };
  if (sign === "#" && (from === 0 || isBlank(line[from - 1]!))) return { end: line.length, kind: "comment" };
  if (from === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(line)) return { end: 3, kind: "meta" };
  if ("{}[],".includes(sign)) return { end: from + 1, kind: "punctuation" };
  if (isColon(line, from)) return { end: from + 1, kind: "punctuation" };
  if (sign === "-" && isEnd(line, from + 1)) {
    state.column = from;
    return { end: from + 1, kind: "punctuation" };
  }
  if ((sign === "|" || sign === ">") && /^[|>][-+\d]{0,2}\s*(?:#.*)?$/.test(line.slice(from))) {
    state.block = Math.max(state.column, 0);
    return { end: wordEnd(line, from), kind: "punctuation" };
  }
  if ("&*!".includes(sign)) return { end: wordEnd(line, from), kind: "labelName" };
  if (sign === '"' || sign === "'") {
    state.quote = sign;
    const { end } = readQuoted(line, from + 1, state);
    const isKey = state.quote === "" && isColon(line, blanksAfter(line, end), true);
    if (isKey) state.column = from;
    return { end, kind: isKey ? "propertyName" : "string" };
  }
  const end = plainEnd(line, from);
  if (isColon(line, blanksAfter(line, end))) {
    state.column = from;
    return { end, kind: "propertyName" };
  }
  return { end, kind: kindOf(line.slice(from, end).trimEnd()) };
}

/**
 * Returns how many columns a new line is indented relative to the line before: after a line that opens a value, and
 * within a list item.
 */
export function indentAfter(line: string, unit: number): number {
  const indent = line.length - line.trimStart().length;
  const [dashes = ""] = /^(?:-\s+){1,9}/.exec(line.slice(indent)) ?? [];
  const comment = line.indexOf(" #");
  const opens = /[:{[|>]$/.test((comment < 0 ? line : line.slice(0, comment)).trimEnd());
  return indent + dashes.length + (opens ? unit : 0);
}

function kindOf(word: string): TokenKind {
  if (/^(?:true|false|null|~)$/.test(word)) return "atom";
  return /^[-+]?\d[\d.eE+-]*$/.test(word) ? "number" : undefined;
}

/** Reads a quoted text to its end. */
function readQuoted(line: string, from: number, state: TokenState): Token {
  for (let offset = from; offset < line.length; offset++) {
    if (line[offset] === "\\" && state.quote === '"') offset++;
    else if (line[offset] === state.quote) {
      state.quote = "";
      return { end: offset + 1, kind: "string" };
    }
  }
  return { end: line.length, kind: "string" };
}

/** Returns the end of plain words, which a colon, a comment, or a character of a flow list ends. */
function plainEnd(line: string, from: number): number {
  let offset = from + 1;
  while (offset < line.length) {
    const sign = line[offset]!;
    if (",[]{}".includes(sign) || isColon(line, offset) || sign === "#" && isBlank(line[offset - 1]!)) break;
    offset++;
  }
  return offset;
}

/** Reports whether a colon separates a field from its value. After a quote no blank is necessary. */
function isColon(line: string, offset: number, isAfterQuote = false): boolean {
  return line[offset] === ":" &&
    (isAfterQuote || isEnd(line, offset + 1) || offset > 0 && /["'\]}]/.test(line[offset - 1]!));
}

function isEnd(line: string, offset: number): boolean {
  return offset >= line.length || isBlank(line[offset]!);
}

function isBlank(sign: string): boolean {
  return sign === " " || sign === "\t";
}

function blanksAfter(line: string, from: number): number {
  let offset = from;
  while (offset < line.length && isBlank(line[offset]!)) offset++;
  return offset;
}

function wordEnd(line: string, from: number): number {
  let offset = from;
  while (!isEnd(line, offset)) offset++;
  return offset;
}

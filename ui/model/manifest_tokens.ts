/** The pieces of a line of YAML, or of JSON, that have colours of their own. Pure, and made for each line by itself. */

/** What a piece is; undefined is plain text. */
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

/** What one line hands on to the next. */
export interface TokenState {
  /** The column of the field whose value is a block of text: what is further in belongs to it; -1 where there is none. */
  block: number;
  /** The column of the field, or of the item, that the line is at. */
  column: number;
  /** The quote of a text that goes on in the next line. */
  quote: string;
}

/** What the first line begins with. */
export function firstState(): TokenState {
  return { block: -1, column: -1, quote: "" };
}

/** A piece of a line. */
export interface Token {
  readonly end: number;
  readonly kind: TokenKind;
}

/** The piece of a line that begins at an offset, which is not the end of the line; it changes the state. */
export function tokenAt(line: string, from: number, state: TokenState): Token {
  if (from === 0) {
    const indent = line.length - line.trimStart().length;
    if (state.block >= 0 && (indent > state.block || indent === line.length)) {
      return { end: line.length, kind: "string" };
    }
    state.block = -1;
    state.column = -1;
  }
  if (state.quote !== "") return quoted(line, from, state);
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
    const { end } = quoted(line, from + 1, state);
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

/** The columns by which a line that follows another is further in than that: what it opens, and what an item holds. */
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

/** The rest of a text in quotes. */
function quoted(line: string, from: number, state: TokenState): Token {
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\" && state.quote === '"') at++;
    else if (line[at] === state.quote) {
      state.quote = "";
      return { end: at + 1, kind: "string" };
    }
  }
  return { end: line.length, kind: "string" };
}

/** The end of a plain word or of several, which a colon, a comment or a sign of a list in one line ends. */
function plainEnd(line: string, from: number): number {
  let at = from + 1;
  while (at < line.length) {
    const sign = line[at]!;
    if (",[]{}".includes(sign) || isColon(line, at) || sign === "#" && isBlank(line[at - 1]!)) break;
    at++;
  }
  return at;
}

/** Whether a colon parts a field from its value; after a quote it needs no blank. */
function isColon(line: string, at: number, isAfterQuote = false): boolean {
  return line[at] === ":" && (isAfterQuote || isEnd(line, at + 1) || at > 0 && /["'\]}]/.test(line[at - 1]!));
}

function isEnd(line: string, at: number): boolean {
  return at >= line.length || isBlank(line[at]!);
}

function isBlank(sign: string): boolean {
  return sign === " " || sign === "\t";
}

function blanksAfter(line: string, from: number): number {
  let at = from;
  while (at < line.length && isBlank(line[at]!)) at++;
  return at;
}

function wordEnd(line: string, from: number): number {
  let at = from;
  while (!isEnd(line, at)) at++;
  return at;
}

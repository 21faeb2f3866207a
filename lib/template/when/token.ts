/** The words of the `when` language and which of them may follow which. */

import { formatValue } from "../../go/format_value.ts";

/** What a token is, by the names the peer's messages use. */
export type TokenKind =
  | "PREFIX"
  | "NUMERIC"
  | "BOOLEAN"
  | "STRING"
  | "PATTERN"
  | "TIME"
  | "VARIABLE"
  | "ACCESSOR"
  | "SEPARATOR"
  | "COMPARATOR"
  | "LOGICALOP"
  | "MODIFIER"
  | "CLAUSE"
  | "CLAUSE_CLOSE"
  | "TERNARY";

/** One word. `value` is the operator or name as text, or the literal's value; times are Unix seconds. */
export interface Token {
  readonly kind: TokenKind;
  readonly value: string | number | boolean;
}

const OPERANDS: readonly TokenKind[] = [
  "PREFIX",
  "NUMERIC",
  "BOOLEAN",
  "VARIABLE",
  "PATTERN",
  "ACCESSOR",
  "STRING",
  "TIME",
  "CLAUSE",
];
const AFTER_VALUE: readonly TokenKind[] = [
  "MODIFIER",
  "COMPARATOR",
  "LOGICALOP",
  "CLAUSE_CLOSE",
  "SEPARATOR",
  "TERNARY",
];
const AFTER_ODD_VALUE = AFTER_VALUE.filter((kind) => kind !== "TERNARY");
const without = (kinds: readonly TokenKind[], ...gone: TokenKind[]) => kinds.filter((kind) => !gone.includes(kind));

/**
 * What may follow a token; the start of the text counts as `START`. Oddities the peer's users meet are kept: a date
 * cannot follow an arithmetic sign, a string cannot follow a prefix, and a closing parenthesis may follow an operator.
 */
const FOLLOWERS: Record<TokenKind | "START", readonly TokenKind[]> = {
  START: OPERANDS,
  CLAUSE: [...OPERANDS, "CLAUSE_CLOSE"],
  CLAUSE_CLOSE: [...AFTER_VALUE, "NUMERIC", "BOOLEAN", "VARIABLE", "STRING", "PATTERN", "TIME", "CLAUSE"],
  NUMERIC: AFTER_VALUE,
  BOOLEAN: AFTER_VALUE,
  STRING: AFTER_VALUE,
  PATTERN: AFTER_ODD_VALUE,
  TIME: AFTER_ODD_VALUE,
  VARIABLE: AFTER_VALUE,
  ACCESSOR: [...AFTER_VALUE, "CLAUSE"],
  MODIFIER: [...without(OPERANDS, "PATTERN", "TIME"), "CLAUSE_CLOSE"],
  COMPARATOR: [...OPERANDS, "CLAUSE_CLOSE"],
  LOGICALOP: [...without(OPERANDS, "PATTERN"), "CLAUSE_CLOSE"],
  PREFIX: [...without(OPERANDS, "PREFIX", "PATTERN", "STRING", "TIME"), "CLAUSE_CLOSE"],
  TERNARY: [...without(OPERANDS, "PATTERN"), "SEPARATOR"],
  SEPARATOR: without(OPERANDS, "PATTERN"),
};

/** Tokens an expression may end with. */
const LAST: readonly TokenKind[] = [
  "CLAUSE_CLOSE",
  "NUMERIC",
  "BOOLEAN",
  "STRING",
  "PATTERN",
  "TIME",
  "VARIABLE",
  "ACCESSOR",
];

/** A `when` text that cannot be read. */
export class WhenSyntaxError extends Error {
  override readonly name = "WhenSyntaxError";
}

/** Says whether a token of this kind may follow `before`. */
export function mayFollow(before: TokenKind | "START", kind: TokenKind): boolean {
  return FOLLOWERS[before].includes(kind);
}

/** Throws a `WhenSyntaxError` where the tokens cannot stand in this order, or parentheses do not match in number. */
export function checkOrder(tokens: readonly Token[]): void {
  const opened = tokens.filter((token) => token.kind === "CLAUSE").length;
  const closed = tokens.filter((token) => token.kind === "CLAUSE_CLOSE").length;
  if (opened !== closed) throw new WhenSyntaxError("Unbalanced parenthesis");
  let before: Token | undefined;
  for (const token of tokens) {
    if (!mayFollow(before?.kind ?? "START", token.kind)) throw new WhenSyntaxError(wrongOrder(before, token));
    before = token;
  }
  if (before === undefined || !LAST.includes(before.kind)) throw new WhenSyntaxError("Unexpected end of expression");
}

function wrongOrder(before: Token | undefined, token: Token): string {
  if (before?.kind === "VARIABLE" && token.kind === "CLAUSE") return `Undefined function ${before.value}`;
  const first = before ? `${before.kind} [${spell(before)}]` : "UNKNOWN [<nil>]";
  return `Cannot transition token types from ${first} to ${token.kind} [${spell(token)}]`;
}

/** Parentheses are known to users by their character codes: a wart of the message text. */
function spell(token: Token): string {
  if (token.kind === "CLAUSE") return "40";
  if (token.kind === "CLAUSE_CLOSE") return "41";
  return formatValue(token.value);
}

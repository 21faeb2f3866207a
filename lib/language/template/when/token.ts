/** The tokens of the `when` language, and which of them may follow which. */

import { UserError } from "@tiphys/base/user_error";
import { Regex } from "../expr/regex.ts";
import { formatValue } from "@tiphys/base/go/format_value";
import type { GoTime } from "@tiphys/base/go/time";

/** The kind of a token, named as in Argo's messages. */
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

/** One token. `value` is the operator or name as text, or the literal's value. */
export interface Token {
  readonly kind: TokenKind;
  readonly value: string | number | boolean | GoTime | Regex;
  /** The position, in characters, at which it begins. */
  readonly at: number;
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
const AFTER_VALUE_WITHOUT_TERNARY = AFTER_VALUE.filter((kind) => kind !== "TERNARY");
const without = (kinds: readonly TokenKind[], ...gone: TokenKind[]) => kinds.filter((kind) => !gone.includes(kind));

/**
 * The kinds of token that may follow each kind; `START` is the start of the text. Matches Argo's quirks: a date cannot
 * follow an arithmetic operator, a string cannot follow a prefix, and a closing parenthesis may follow an operator.
 */
const FOLLOWERS: Record<TokenKind | "START", readonly TokenKind[]> = {
  START: OPERANDS,
  CLAUSE: [...OPERANDS, "CLAUSE_CLOSE"],
  CLAUSE_CLOSE: [...AFTER_VALUE, "NUMERIC", "BOOLEAN", "VARIABLE", "STRING", "PATTERN", "TIME", "CLAUSE"],
  NUMERIC: AFTER_VALUE,
  BOOLEAN: AFTER_VALUE,
  STRING: AFTER_VALUE,
  PATTERN: AFTER_VALUE_WITHOUT_TERNARY,
  TIME: AFTER_VALUE_WITHOUT_TERNARY,
  VARIABLE: AFTER_VALUE,
  ACCESSOR: [...AFTER_VALUE, "CLAUSE"],
  MODIFIER: [...without(OPERANDS, "PATTERN", "TIME"), "CLAUSE_CLOSE"],
  COMPARATOR: [...OPERANDS, "CLAUSE_CLOSE"],
  LOGICALOP: [...without(OPERANDS, "PATTERN"), "CLAUSE_CLOSE"],
  PREFIX: [...without(OPERANDS, "PREFIX", "PATTERN", "STRING", "TIME"), "CLAUSE_CLOSE"],
  TERNARY: [...without(OPERANDS, "PATTERN"), "SEPARATOR"],
  SEPARATOR: without(OPERANDS, "PATTERN"),
};

/** The tokens that an expression may end with. */
const LAST_KINDS: readonly TokenKind[] = [
  "CLAUSE_CLOSE",
  "NUMERIC",
  "BOOLEAN",
  "STRING",
  "PATTERN",
  "TIME",
  "VARIABLE",
  "ACCESSOR",
];

/** The position of an error in a `when` text, in characters, and a hint for the author. */
export interface WhenLocation {
  readonly at: number;
  readonly hint?: string;
}

/** Error for a `when` text that cannot be parsed. */
export class WhenSyntaxError extends UserError {
  override readonly name = "WhenSyntaxError";

  constructor(message: string, readonly place: WhenLocation, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Reports whether a token of this kind may follow `before`. */
export function mayFollow(before: TokenKind | "START", kind: TokenKind): boolean {
  return FOLLOWERS[before].includes(kind);
}

/** @throws {WhenSyntaxError} when the order of tokens is invalid, or parentheses are not balanced. */
export function checkOrder(tokens: readonly Token[]): void {
  checkParentheses(tokens);
  let before: Token | undefined;
  for (const token of tokens) {
    if (!mayFollow(before?.kind ?? "START", token.kind)) throw wrongOrder(before, token);
    before = token;
  }
  if (before === undefined || !LAST_KINDS.includes(before.kind)) {
    throw new WhenSyntaxError("Unexpected end of expression", { at: before?.at ?? 0, hint: "expected a value" });
  }
}

function checkParentheses(tokens: readonly Token[]): void {
  const open: Token[] = [];
  let extra: Token | undefined;
  for (const token of tokens) {
    if (token.kind === "CLAUSE") open.push(token);
    else if (token.kind === "CLAUSE_CLOSE" && open.pop() === undefined) extra ??= token;
  }
  const opened = tokens.filter((token) => token.kind === "CLAUSE").length;
  const closed = tokens.filter((token) => token.kind === "CLAUSE_CLOSE").length;
  const [fault, hint] = opened > closed ? [open[0], "is never closed"] : [extra, "closes nothing"];
  if (opened === closed || fault === undefined) return;
  throw new WhenSyntaxError("Unbalanced parenthesis", { at: fault.at, hint: `this parenthesis ${hint}` });
}

/** Operators of other languages, and the ones to use instead. */
const OPERATOR_WORDS: { readonly [word: string]: string } = { and: "&&", or: "||", not: "!", matches: "=~" };

function wrongOrder(before: Token | undefined, token: Token): WhenSyntaxError {
  if (before?.kind === "VARIABLE" && token.kind === "CLAUSE") {
    const hint = "there are no functions here; compute it in a tag: {{=…}}";
    return new WhenSyntaxError(`Undefined function ${before.value}`, { at: before.at, hint });
  }
  const first = before ? `${before.kind} [${formatToken(before)}]` : "UNKNOWN [<nil>]";
  const reason = `Cannot transition token types from ${first} to ${token.kind} [${formatToken(token)}]`;
  return new WhenSyntaxError(reason, { at: token.at, hint: expectedTokens(before, token) });
}

function expectedTokens(before: Token | undefined, token: Token): string {
  for (const word of [token, before]) {
    if (word?.kind !== "VARIABLE" || !Object.hasOwn(OPERATOR_WORDS, word.value as string)) continue;
    return `did you mean ${OPERATOR_WORDS[word.value as string]}?`;
  }
  if (before && LAST_KINDS.includes(before.kind)) return "expected an operator; a text of several words needs quotes";
  return before?.kind === "PREFIX" ? "expected a boolean, a number or a parenthesis" : "expected a value";
}

/** Formats a token as in Argo's messages: parentheses as character codes, dotted names as lists. */
function formatToken({ kind, value }: Token): string {
  if (kind === "CLAUSE") return "40";
  if (kind === "CLAUSE_CLOSE") return "41";
  if (kind === "ACCESSOR") return `[${String(value).split(".").join(" ")}]`;
  return value instanceof Regex ? value.pattern() : formatValue(value);
}

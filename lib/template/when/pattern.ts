/** The patterns of `=~` and `!~`. */
import { BudgetFailure, RunFailure } from "../expr/failure.ts";
import { compileRegex, type Regex } from "../expr/regex.ts";
import { type Token, WhenSyntaxError } from "./token.ts";

/**
 * The tokens with the strings to the right of `=~` and `!~` read as patterns, wherever they stand in the text.
 * @throws as `compilePattern`.
 */
export function withPatterns(tokens: readonly Token[]): Token[] {
  return tokens.map((token, index) => {
    const before = tokens[index - 1];
    const matches = before?.kind === "COMPARATOR" && (before.value === "=~" || before.value === "!~");
    if (!matches || token.kind !== "STRING") return token;
    return { ...token, kind: "PATTERN", value: compilePattern(String(token.value), token.at) };
  });
}

/**
 * A pattern of RE2's syntax, which cannot blow up.
 * @throws {WhenSyntaxError} where it is broken or absurdly long.
 */
export function compilePattern(source: string, at: number): Regex {
  try {
    return compileRegex(source);
  } catch (error) {
    if (!(error instanceof RunFailure) || error instanceof BudgetFailure) throw error;
    throw new WhenSyntaxError(error.message, { at, hint: "expected a pattern of RE2's syntax" }, { cause: error });
  }
}

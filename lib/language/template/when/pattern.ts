/** The patterns of `=~` and `!~`. */
import { BudgetFailure, RunFailure } from "../expr/failure.ts";
import { compileRegex, type Regex } from "../expr/regex.ts";
import { type Token, WhenSyntaxError } from "./token.ts";

/**
 * Compiles the strings to the right of `=~` and `!~` to patterns, anywhere in the text.
 * @throws same as `compilePattern`.
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
 * Compiles a pattern in RE2 syntax, whose matching time is linear.
 * @throws {WhenSyntaxError} when it is invalid or too long.
 */
export function compilePattern(source: string, offset: number): Regex {
  try {
    return compileRegex(source);
  } catch (error) {
    if (!(error instanceof RunFailure) || error instanceof BudgetFailure) throw error;
    throw new WhenSyntaxError(error.message, { at: offset, hint: "expected a pattern of RE2's syntax" }, {
      cause: error,
    });
  }
}

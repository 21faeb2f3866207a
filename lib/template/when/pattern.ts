/** The patterns of `=~` and `!~`. */
import type { RE2JS } from "re2js";
import { RunFailure } from "../expr/failure.ts";
import { compileRegex } from "../expr/regex.ts";
import { type Token, WhenSyntaxError } from "./token.ts";

/**
 * The tokens with the strings to the right of `=~` and `!~` read as patterns, wherever they stand in the text. Throws as
 * `compilePattern`.
 */
export function withPatterns(tokens: readonly Token[]): Token[] {
  return tokens.map((token, index) => {
    const before = tokens[index - 1];
    const matches = before?.kind === "COMPARATOR" && (before.value === "=~" || before.value === "!~");
    if (!matches || token.kind !== "STRING") return token;
    return { ...token, kind: "PATTERN", value: compilePattern(String(token.value), token.at) };
  });
}

/** A pattern of RE2's syntax, which cannot blow up. Throws a `WhenSyntaxError` where it is broken or absurdly long. */
export function compilePattern(source: string, at: number): RE2JS {
  try {
    return compileRegex(source);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    throw new WhenSyntaxError(error.message, { at, hint: "expected a pattern of RE2's syntax" }, { cause: error });
  }
}

/** Patterns in an operator's configuration: unanchored RE2 regular expressions, which match in linear time. */
import { RE2JS, RE2JSException } from "re2js";
import type { TextPattern } from "./transient.ts";

/**
 * Parses a pattern.
 * @throws {Error} with the expected and the found text.
 */
export function textPattern(expression: string): TextPattern {
  try {
    const pattern = RE2JS.compile(expression);
    return { test: (text) => pattern.matcher(text).find() };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new Error(
      `expected a regular expression, got ${JSON.stringify(expression)}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

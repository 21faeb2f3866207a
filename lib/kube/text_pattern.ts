/** Patterns that operators write: regular expressions of RE2, found anywhere in a text, in time that grows with the text only. */
import { RE2JS, RE2JSException } from "re2js";
import type { TextPattern } from "./transient.ts";

/** Reads a pattern. @throws {Error} with what is expected and what was found. */
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

/** Regular expressions with RE2's syntax, meaning and linear time. */
import { RE2JS } from "re2js";
import { fail } from "./failure.ts";
import { inOurDialect } from "./regex_dialect.ts";

const compiled = new Map<string, RE2JS>();
const KEPT = 500;
/** Characters of a pattern: matching takes time that grows with them and with the text. */
const LONGEST_PATTERN = 10_000;

/** Compiles a pattern, or fails with Go's message. Compiled patterns are kept for a while. */
export function compileRegex(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > LONGEST_PATTERN) {
    fail(`error parsing regexp: a pattern of more than ${LONGEST_PATTERN} characters`);
  }
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(inOurDialect(pattern));
  } catch (error) {
    return fail((error as Error).message);
  }
  if (compiled.size >= KEPT) compiled.clear();
  compiled.set(pattern, regex);
  return regex;
}

/** Whether the pattern is found anywhere in the text. */
export function matches(regex: RE2JS, text: string): boolean {
  return regex.test(text);
}

/** Filters the lines of a log. */
import { compileRegex } from "@tiphys/language/template/expr/regex";

/**
 * Returns a predicate for lines that contain a match of a regular expression; without one, it accepts all lines. The
 * expression has Go's syntax and is matched in linear time.
 * @throws when it is invalid.
 */
export function lineFilter(pattern: string | undefined): (line: string) => boolean {
  if (pattern === undefined) return () => true;
  const expression = compileRegex(pattern);
  return (line) => expression.matches(line);
}

/** The lines of a log that somebody wants to see. */
import { compileRegex } from "../template/expr/regex.ts";

/**
 * Tells lines in which a regular expression is found; without one, all of them. The expression has Go's syntax, and
 * takes time that grows as the line does, whatever it is.
 * @throws when it cannot be read.
 */
export function lineFilter(pattern: string | undefined): (line: string) => boolean {
  if (pattern === undefined) return () => true;
  const expression = compileRegex(pattern);
  return (line) => expression.matches(line);
}

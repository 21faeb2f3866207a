/** The filter of log lines by a regular expression. */
import { lineFilter } from "@tiphys/service/line_filter";
import { badRequest } from "../wire/errors.ts";

/**
 * Returns a test of lines; an empty pattern matches all.
 * @throws {WireError} with Argo's message if the pattern is invalid.
 */
export function grepOf(pattern: string): (text: string) => boolean {
  if (pattern === "") return () => true;
  try {
    return lineFilter(pattern);
  } catch (error) {
    throw badRequest(`failed to compile ${JSON.stringify(pattern)}: ${error instanceof Error ? error.message : error}`);
  }
}

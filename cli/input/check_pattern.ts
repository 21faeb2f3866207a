/** The regular expression of `--grep`. */
import { lineFilter } from "@tiphys/service/line_filter";
import { badInput } from "../command_error.ts";

/**
 * Checks a regular expression in Go's syntax.
 * @throws {CommandError} with the position of the mistake.
 */
export function checkPattern(pattern: string | undefined): void {
  try {
    lineFilter(pattern);
  } catch (error) {
    throw badInput(`Could not read the pattern of --grep: ${(error as Error).message}`);
  }
}

/** The regular expression of `--grep`. */
import { lineFilter } from "@tiphys/service/line_filter";
import { badInput } from "../command_error.ts";

/**
 * Refuses a regular expression that cannot be read; Go's syntax is meant.
 * @throws {CommandError} with the place of the mistake.
 */
export function checkPattern(pattern: string | undefined): void {
  try {
    lineFilter(pattern);
  } catch (error) {
    throw badInput(`Could not read the pattern of --grep: ${(error as Error).message}`);
  }
}

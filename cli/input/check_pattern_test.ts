import { assertThrows } from "@std/assert";
import { checkPattern } from "./check_pattern.ts";
import { CommandError } from "../command_error.ts";

Deno.test("checkPattern: rejects patterns that Go rejects, with Go's message", () => {
  assertThrows(
    () => checkPattern("a(?=b)"),
    CommandError,
    "Could not read the pattern of --grep: error parsing regexp",
  );
  checkPattern("(?i)error");
  checkPattern(undefined);
});

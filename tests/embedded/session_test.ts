import { assertEquals } from "@std/assert";
import { parseSession, printSession } from "./session.ts";

const TEXT = `# Two words
$ echo one
one

$ false
[exit 1]

# and nothing
$ true
`;

Deno.test("parseSession: reads commands with the comments above and the output below them", () => {
  assertEquals(parseSession(TEXT), [
    { remarks: "# Two words\n", command: "echo one", output: "one" },
    { remarks: "", command: "false", output: "[exit 1]" },
    { remarks: "# and nothing\n", command: "true", output: "" },
  ]);
});

Deno.test("printSession: prints the format that parseSession reads", () => {
  assertEquals(printSession(parseSession(TEXT)), TEXT);
});

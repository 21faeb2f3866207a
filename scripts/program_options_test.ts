import { assertEquals } from "@std/assert";
import { usageOf } from "./program_options.ts";

Deno.test("usageOf: returns the comment at the top, with its indentation", () => {
  assertEquals(
    usageOf("/**\n * Runs it.\n *\n *     deno task it\n */\nimport 1;\n/** Other */"),
    "Runs it.\n\n    deno task it",
  );
  assertEquals(usageOf("/** One line. */\n"), "One line.");
  assertEquals(usageOf("import 1;\n/** Later */"), "");
});

import { assertEquals } from "@std/assert";
import { checkLines } from "./check.ts";

Deno.test("checkLines: a passed check is one line", () => {
  assertEquals(checkLines({ name: "types", passed: true, seconds: 1.25, output: "Check a.ts" }), [
    "ok     types (1.3 s)",
  ]);
});

Deno.test("checkLines: a failed check shows its output, and names `deno task fix` where that helps", () => {
  assertEquals(checkLines({ name: "fmt", passed: false, seconds: 2, output: "a.ts is not formatted\n" }), [
    "FAILED fmt (2.0 s)",
    "a.ts is not formatted",
    "Run `deno task fix` to repair what a program can repair",
  ]);
  assertEquals(checkLines({ name: "imports", passed: false, seconds: 2, output: "a imports b\n" }).length, 2);
});

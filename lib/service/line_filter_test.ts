import { assertEquals, assertThrows } from "@std/assert";
import { UserError } from "@tiphys/base/user_error";
import { filterBatches, lineFilter } from "./line_filter.ts";

Deno.test("lineFilter() finds an expression in Go's syntax anywhere in a line", () => {
  const lines = ["Error: none", "an error", "fine"];
  assertEquals(lines.filter(lineFilter("(?i)error")), ["Error: none", "an error"]);
  assertEquals(lines.filter(lineFilter(String.raw`^\pL+$`)), ["fine"]);
  assertEquals(lines.filter(lineFilter(undefined)), lines);
});

Deno.test("lineFilter() takes linear time for expressions with catastrophic backtracking in other engines", () => {
  const line = `${"a".repeat(50_000)}!`;
  assertEquals(lineFilter("^(a+)+$")(line), false);
  assertEquals(lineFilter("(a|a)*b")(line), false);
});

Deno.test("lineFilter() rejects invalid expressions with Go's message", () => {
  assertThrows(() => lineFilter("a(?=b)"), Error, "error parsing regexp");
  assertThrows(() => lineFilter("("), Error, "missing closing )");
});

Deno.test("lineFilter() ends a search in a line that takes too long with a user error", () => {
  let millis = 0;
  const isWanted = lineFilter("[xy]{1000}[^xy]", () => millis += 10);
  const line = "xyxxyxyyx".repeat(20_000);
  assertThrows(() => isWanted(line), UserError, `the search in a line of ${line.length} characters took more than`);
  assertEquals(isWanted(`${"xy".repeat(500)}z`), true);
});

Deno.test("lineFilter() rejects expressions that are expensive to compile", () => {
  assertThrows(() => lineFilter("((x{1,50}){1,50}){1,30}"), UserError, "expression too large");
});

Deno.test("filterBatches() lets other work of the thread proceed during long searches", async () => {
  const batches = async function* () {
    yield [1, 2, 3, 4];
    yield await Promise.resolve([5, 6]);
  };
  let millis = 0;
  let turns = 0;
  const count = () => void setTimeout(() => turns++);
  const isEven = (item: number) => {
    count();
    return item % 2 === 0;
  };
  const found = [];
  for await (const batch of filterBatches(batches(), isEven, () => millis += 30)) found.push([turns > 0, batch]);
  assertEquals(found, [[true, [2, 4]], [true, [6]]]);
});

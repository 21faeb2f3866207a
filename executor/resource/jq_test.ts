import { assertEquals, assertRejects } from "@std/assert";
import { filterJson, JqError } from "./jq.ts";

const OBJECT = { kind: "Job", items: [1, 2.5, 1e21], labels: { z: "1", a: "<b>" }, none: null };

const RESULTS: readonly (readonly [filter: string, result: string])[] = [
  [".kind", "Job"],
  [".none", "null"],
  ['.missing // "d"', "d"],
  [".items[]", "1\n2.5\n1e+21"],
  [".labels", '{"a":"\\u003cb\\u003e","z":"1"}'],
  ['.labels | to_entries | map(.key) | join(",")', "a,z"],
  ["empty", ""],
  ['"  padded "', "padded"],
  [". as {kind: $k} | try error($k) catch . # said twice", "Job"],
];

for (const [filter, result] of RESULTS) {
  Deno.test(`filterJson: ${filter} has the same result as in Argo Workflows`, async () => {
    assertEquals(await filterJson(filter, OBJECT), result);
  });
}

Deno.test("filterJson: fails with jq's message, even after a first result", async () => {
  await assertRejects(() => filterJson(".a[", OBJECT), JqError, "syntax error");
  await assertRejects(() => filterJson('1, error("told")', OBJECT), JqError, "told");
});

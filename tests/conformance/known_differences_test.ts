import { assertEquals, assertThrows } from "@std/assert";
import { readKnownDifferences, reasonOf } from "./known_differences.ts";

const KNOWN = readKnownDifferences("# a comment\ncoin-  *  it flips\nhosts-  nodes/*/value  it has (one) node\n");

function reason(workflow: string, path: string): string | undefined {
  return reasonOf({ workflow, path, cluster: 1, embedded: 2 }, KNOWN);
}

Deno.test("reasonOf: returns the reason of the line with the workflow and the path", () => {
  assertEquals(reason("coin-", "nodes/a b/phase"), "it flips");
  assertEquals(reason("hosts-", "nodes/a\nb/outputs/value"), "it has (one) node");
});

Deno.test("reasonOf: returns undefined for another workflow or another path", () => {
  assertEquals(reason("coin-toss-", "phase"), undefined);
  assertEquals(reason("hosts-", "nodes/a/phase"), undefined);
});

Deno.test("readKnownDifferences: refuses a line without a reason", () => {
  assertThrows(() => readKnownDifferences("coin- *"), Error, "Line 1");
});

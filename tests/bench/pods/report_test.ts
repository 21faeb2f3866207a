import { assertEquals } from "@std/assert";
import { median, tableOf } from "./report.ts";

Deno.test("median(): returns the middle number, or the mean of the two in the middle", () => {
  assertEquals(median([3, 1, 2]), 2);
  assertEquals(median([4, 1, 3, 2]), 2.5);
});

Deno.test("tableOf(): has a row per contender, with a dash for a missing measurement", () => {
  const sample = { podCreated: 20, firstInstruction: 700, endToFinal: 50 };
  const weight = { rss: 44.6, anonymous: 12.1, pss: 20 };
  const rows = tableOf([
    { name: "bare pod", samples: [sample], weights: [] },
    { name: "ours", samples: [sample], weights: [{ emissary: weight, auxiliary: weight }] },
  ]).split("\n").slice(2);
  assertEquals(rows, [
    "| bare pod | 0.02 s (0.02–0.02) | 0.70 s (0.70–0.70) | 0.05 s (0.05–0.05) | – | – |",
    "| ours | 0.02 s (0.02–0.02) | 0.70 s (0.70–0.70) | 0.05 s (0.05–0.05) | 45 / 12 / 20 | 45 / 12 / 20 |",
  ]);
});

import { assertEquals } from "@std/assert";
import { cutLabel } from "./cut_label.ts";

Deno.test("cutLabel: a label that fits stays unchanged", () => {
  assertEquals(cutLabel("extract", 7), "extract");
});

Deno.test("cutLabel: keeps both ends of a label", () => {
  assertEquals(cutLabel("load-the-table(17:ledger)", 15), "load-th…ledger)");
  assertEquals(cutLabel("load-the-table(17:ledger)", 15).length, 15);
});

Deno.test("cutLabel: with space for one character or none, an ellipsis marks the label", () => {
  assertEquals([cutLabel("extract", 1), cutLabel("extract", 0)], ["…", "…"]);
});

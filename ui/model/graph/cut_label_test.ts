import { assertEquals } from "@std/assert";
import { cutLabel } from "./cut_label.ts";

Deno.test("cutLabel() leaves a label alone that there is room for", () => {
  assertEquals(cutLabel("extract", 7), "extract");
});

Deno.test("cutLabel() keeps both ends of a label: items of a loop differ at the last of them", () => {
  assertEquals(cutLabel("load-the-table(17:ledger)", 15), "load-th…ledger)");
  assertEquals(cutLabel("load-the-table(17:ledger)", 15).length, 15);
});

Deno.test("cutLabel() says that there was a label where there is room for one letter or none", () => {
  assertEquals([cutLabel("extract", 1), cutLabel("extract", 0)], ["…", "…"]);
});

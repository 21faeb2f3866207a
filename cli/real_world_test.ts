import { assertEquals } from "@std/assert";
import { usableSize } from "./real_world.ts";

Deno.test("usableSize: a terminal that does not report its size has 80 columns and 24 rows", () => {
  assertEquals(usableSize({ columns: 0, rows: 0 }), { columns: 80, rows: 24 });
  assertEquals(usableSize({ columns: 120, rows: 50 }), { columns: 120, rows: 50 });
});

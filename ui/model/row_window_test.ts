import { assert, assertEquals } from "@std/assert";
import { rowWindow } from "./row_window.ts";

const AT = { top: 0, screen: 900, row: 32 };

Deno.test("rowWindow() gives a short table as a whole, wherever it is scrolled to", () => {
  assertEquals(rowWindow(50, { ...AT, top: -1000 }), { from: 0, to: 50, above: 0, below: 0 });
});

Deno.test("rowWindow() holds every row of the screen, and as much room as all rows take", () => {
  const count = 500;
  for (let scrolled = -200; scrolled < count * AT.row + 200; scrolled += 7) {
    const { from, to, above, below } = rowWindow(count, { ...AT, top: -scrolled });
    assertEquals(above + (to - from) * AT.row + below, count * AT.row);
    const first = Math.max(0, Math.floor(scrolled / AT.row));
    const last = Math.min(count, Math.ceil((scrolled + AT.screen) / AT.row));
    assert(first >= count || from <= first && to >= last, `${scrolled}: ${from} to ${to} lacks ${first} to ${last}`);
    assert(to - from <= 100, `${to - from} rows are there`);
  }
});

Deno.test("rowWindow() stays the same while a table is scrolled by less than a step", () => {
  assertEquals(rowWindow(500, { ...AT, top: -3300 }), rowWindow(500, { ...AT, top: -3400 }));
});

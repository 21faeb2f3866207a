import { assert, assertEquals } from "@std/assert";
import { firstRowToLoad, LOADED_ROWS, rowWindow, windowOfLoadedRows } from "./row_window.ts";

const AT = { top: 0, screen: 900, row: 32 };

Deno.test("rowWindow: renders a short table completely at any scroll position", () => {
  assertEquals(rowWindow(50, { ...AT, top: -1000 }), { from: 0, to: 50, above: 0, below: 0 });
});

Deno.test("rowWindow: covers the screen and takes as much space as all rows", () => {
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

Deno.test("rowWindow: stays the same while scrolling less than a step", () => {
  assertEquals(rowWindow(500, { ...AT, top: -3300 }), rowWindow(500, { ...AT, top: -3400 }));
});

Deno.test("windowOfLoadedRows: rows that are not loaded are empty space of the same height", () => {
  const [count, row] = [10_000, 32];
  const held = { from: 400, to: 600 };
  for (let offset = 0; offset < count; offset += 37) {
    const window = { from: offset, to: Math.min(count, offset + 60) };
    const { from, to, above, below } = windowOfLoadedRows(count, window, held, row);
    assertEquals(above + (to - from) * row + below, count * row);
    assert(from >= held.from && to <= held.to && from <= to, `${offset}: ${from} to ${to}`);
    if (window.from >= held.from && window.to <= held.to) assertEquals({ from, to }, window);
  }
});

Deno.test("firstRowToLoad: loads more rows before the end of the loaded ones is reached, and only then", () => {
  const held = { from: 400, to: 600 };
  assertEquals(firstRowToLoad(10_000, { from: 470, to: 530 }, held), undefined);
  assertEquals(firstRowToLoad(10_000, { from: 530, to: 590 }, held), 460);
  assertEquals(firstRowToLoad(10_000, { from: 8_980, to: 9_040 }, held), 8_910);
  assertEquals(firstRowToLoad(10_000, { from: 0, to: 60 }, { from: 0, to: 200 }), undefined);
  assertEquals(firstRowToLoad(10_000, { from: 9_950, to: 10_000 }, { from: 9_800, to: 10_000 }), undefined);
  // The list became shorter: all its rows are loaded.
  assertEquals(firstRowToLoad(90, { from: 0, to: 90 }, { from: 0, to: 80 }), undefined);
  for (let offset = 0; offset < 10_000; offset += 37) {
    const window = { from: offset, to: Math.min(10_000, offset + 60) };
    const from = firstRowToLoad(10_000, window, held) ?? held.from;
    assert(from <= window.from && from + LOADED_ROWS >= window.to, `${offset}: from ${from}`);
  }
});

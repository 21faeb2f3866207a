import { assert, assertEquals } from "@std/assert";
import { firstHeldFor, HELD_ROWS, rowWindow, windowOfHeld } from "./row_window.ts";

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

Deno.test("of a table that holds a part of its rows the others are room, and it is as long as if all were there", () => {
  const [count, row] = [10_000, 32];
  const held = { from: 400, to: 600 };
  for (let at = 0; at < count; at += 37) {
    const window = { from: at, to: Math.min(count, at + 60) };
    const { from, to, above, below } = windowOfHeld(count, window, held, row);
    assertEquals(above + (to - from) * row + below, count * row);
    assert(from >= held.from && to <= held.to && from <= to, `${at}: ${from} to ${to}`);
    if (window.from >= held.from && window.to <= held.to) assertEquals({ from, to }, window);
  }
});

Deno.test("rows are read anew before somebody comes to the end of those that are held, and only then", () => {
  const held = { from: 400, to: 600 };
  assertEquals(firstHeldFor(10_000, { from: 470, to: 530 }, held), undefined);
  assertEquals(firstHeldFor(10_000, { from: 530, to: 590 }, held), 460);
  assertEquals(firstHeldFor(10_000, { from: 8_980, to: 9_040 }, held), 8_910);
  assertEquals(firstHeldFor(10_000, { from: 0, to: 60 }, { from: 0, to: 200 }), undefined);
  assertEquals(firstHeldFor(10_000, { from: 9_950, to: 10_000 }, { from: 9_800, to: 10_000 }), undefined);
  // Fewer are there than were: what is held is all that there is.
  assertEquals(firstHeldFor(90, { from: 0, to: 90 }, { from: 0, to: 80 }), undefined);
  for (let at = 0; at < 10_000; at += 37) {
    const window = { from: at, to: Math.min(10_000, at + 60) };
    const from = firstHeldFor(10_000, window, held) ?? held.from;
    assert(from <= window.from && from + HELD_ROWS >= window.to, `${at}: from ${from}`);
  }
});

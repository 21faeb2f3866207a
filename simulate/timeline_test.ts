import { assertEquals } from "@std/assert";
import { Timeline } from "./timeline.ts";

const START = new Date("2026-01-01T00:00:00Z");

Deno.test("things that are due happen in the order of their moments, and at one moment in the order they were planned", () => {
  const timeline = new Timeline(START);
  const seen: string[] = [];
  const at = START.getTime();
  timeline.plan(at + 20, () => seen.push("late"));
  timeline.plan(at + 10, () => seen.push("first"));
  timeline.plan(at + 10, () => seen.push("second"));
  timeline.plan(Infinity, () => seen.push("never"));
  assertEquals(timeline.next, at + 10);
  timeline.jumpTo(at + 10);
  assertEquals(seen, ["first", "second"]);
  timeline.jumpTo(at + 30);
  assertEquals([seen, timeline.next], [["first", "second", "late"], undefined]);
});

Deno.test("the clock stands still between two jumps and never goes back", () => {
  const timeline = new Timeline(START);
  timeline.jumpTo(START.getTime() + 5);
  timeline.jumpTo(START.getTime());
  assertEquals(timeline.now.getTime(), START.getTime() + 5);
});

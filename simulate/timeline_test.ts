import { assertEquals } from "@std/assert";
import { Timeline } from "./timeline.ts";

const START = new Date("2026-01-01T00:00:00Z");

Deno.test("Timeline: events happen in order of time, and events at the same time in order of planning", () => {
  const timeline = new Timeline(START);
  const seen: string[] = [];
  const time = START.getTime();
  timeline.plan(time + 20, () => seen.push("late"));
  timeline.plan(time + 10, () => seen.push("first"));
  timeline.plan(time + 10, () => seen.push("second"));
  timeline.plan(Infinity, () => seen.push("never"));
  assertEquals(timeline.next, time + 10);
  timeline.jumpTo(time + 10);
  assertEquals(seen, ["first", "second"]);
  timeline.jumpTo(time + 30);
  assertEquals([seen, timeline.next], [["first", "second", "late"], undefined]);
});

Deno.test("Timeline: the clock only moves on a jump and never goes back", () => {
  const timeline = new Timeline(START);
  timeline.jumpTo(START.getTime() + 5);
  timeline.jumpTo(START.getTime());
  assertEquals(timeline.now.getTime(), START.getTime() + 5);
});

/** Durations and moments as they are shown. */
import { assertEquals } from "@std/assert";
import { agoText, durationText, elapsed, momentText } from "./duration.ts";

Deno.test("a duration shows its two largest units, and no unit that is nothing", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "0s"],
    [250, "0.2s"],
    [9_960, "9.9s"],
    [59_999, "59s"],
    [60_000, "1m"],
    [192_000, "3m 12s"],
    [3_600_000, "1h"],
    [100 * 3_600_000, "4d 4h"],
    [-5, "0s"],
  ];
  for (const [millis, text] of cases) assertEquals(durationText(millis), text);
});

Deno.test("a node that runs has lasted until now, and one that has not started has no duration", () => {
  const now = Date.parse("2026-01-01T00:01:00Z");
  assertEquals(elapsed("2026-01-01T00:00:00Z", undefined, now), 60_000);
  assertEquals(elapsed("2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z", now), 5_000);
  assertEquals(elapsed(undefined, undefined, now), undefined);
});

Deno.test("a moment is told from now, in its largest unit", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  assertEquals(agoText("2026-01-01T21:10:00Z", now), "2h ago");
  assertEquals(agoText("2026-01-02T00:05:30Z", now), "in 5m");
  assertEquals(agoText("2026-01-02T00:00:00Z", now), "now");
  assertEquals(agoText(undefined, now), "");
});

Deno.test("a moment names the zone that it is told in", () => {
  const at = "2026-03-28T12:00:00Z";
  assertEquals(momentText(at, { zone: "UTC", locale: "en-GB" }), "28 Mar 2026, 12:00:00 UTC");
  assertEquals(momentText(at, { zone: "Europe/Berlin", locale: "en-GB" }), "28 Mar 2026, 13:00:00 CET");
  assertEquals(momentText(undefined), "");
});

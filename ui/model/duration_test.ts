import { assertEquals } from "@std/assert";
import {
  agoText,
  defaultZone,
  durationText,
  elapsedMillis,
  isoText,
  isZone,
  momentText,
  parseLocalMoment,
  setTimeSettings,
  whenText,
} from "./duration.ts";

Deno.test("durationText: shows the two largest units, without a unit that is zero", () => {
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

Deno.test("elapsedMillis: a running node lasts until now, and one that has not started has no duration", () => {
  const now = Date.parse("2026-01-01T00:01:00Z");
  assertEquals(elapsedMillis("2026-01-01T00:00:00Z", undefined, now), 60_000);
  assertEquals(elapsedMillis("2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z", now), 5_000);
  assertEquals(elapsedMillis(undefined, undefined, now), undefined);
});

Deno.test("agoText: shows the largest unit", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  assertEquals(agoText("2026-01-01T21:10:00Z", now), "2h ago");
  assertEquals(agoText("2026-01-02T00:05:30Z", now), "in 5m");
  assertEquals(agoText("2026-01-02T00:00:00Z", now), "now");
  assertEquals(agoText(undefined, now), "");
});

Deno.test("momentText: names the time zone", () => {
  const time = "2026-03-28T12:00:00Z";
  assertEquals(momentText(time, { zone: "UTC", locale: "en-GB" }), "28 Mar 2026, 12:00:00 UTC");
  assertEquals(momentText(time, { zone: "Europe/Berlin", locale: "en-GB" }), "28 Mar 2026, 13:00:00 CET");
  assertEquals(momentText(undefined), "");
});

Deno.test("isoText: has the offset of the zone, also fractional and negative ones", () => {
  const time = "2026-03-28T12:00:00.750Z";
  assertEquals(isoText(time, "UTC"), "2026-03-28T12:00:00Z");
  assertEquals(isoText(time, "Europe/Berlin"), "2026-03-28T13:00:00+01:00");
  assertEquals(isoText("2026-07-01T00:00:00Z", "Europe/Berlin"), "2026-07-01T02:00:00+02:00");
  assertEquals(isoText(time, "Asia/Kathmandu"), "2026-03-28T17:45:00+05:45");
  assertEquals(isoText(time, "America/St_Johns"), "2026-03-28T09:30:00-02:30");
  assertEquals(isoText("nonsense", "UTC"), "");
});

Deno.test("setTimeSettings: sets the zone and the format of all times", () => {
  const time = "2026-03-28T12:00:00Z";
  const now = Date.parse("2026-03-28T12:03:00Z");
  try {
    setTimeSettings({ zone: "Asia/Tokyo", isIso: false });
    assertEquals([whenText(time, now), defaultZone()], ["3m ago", "Asia/Tokyo"]);
    assertEquals(momentText(time, { locale: "en-GB", isShort: true }), "28 Mar 2026, 21:00");
    setTimeSettings({ zone: "Asia/Tokyo", isIso: true });
    assertEquals([whenText(time, now), momentText(time)], ["2026-03-28T21:00:00+09:00", "2026-03-28T21:00:00+09:00"]);
    assertEquals(momentText(time, { zone: "UTC" }), "2026-03-28T12:00:00Z");
  } finally {
    setTimeSettings({ isIso: false });
  }
});

Deno.test("parseLocalMoment: parses local times on both sides of a clock change", () => {
  assertEquals(parseLocalMoment("2026-03-28", "Europe/Berlin"), "2026-03-27T23:00:00.000Z");
  assertEquals(parseLocalMoment("2026-03-29T12:00", "Europe/Berlin"), "2026-03-29T10:00:00.000Z");
  assertEquals(parseLocalMoment("2026-03-29T01:30", "Europe/Berlin"), "2026-03-29T00:30:00.000Z");
  assertEquals(parseLocalMoment("2026-03-28T12:00:30", "UTC"), "2026-03-28T12:00:30.000Z");
  for (const text of ["", "yesterday", "2026-13-40", "2026-3-1", "28.03.2026"]) {
    assertEquals(parseLocalMoment(text), undefined);
  }
});

Deno.test("isZone: accepts names of time zones only", () => {
  assertEquals(["Europe/Berlin", "UTC", "", "Mars/Base", "<script>"].map(isZone), [true, true, false, false, false]);
});

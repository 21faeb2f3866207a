import { assertEquals } from "@std/assert";
import { elapsed, elapsedInWords, resourcesDurationText, shortDuration, timestamp } from "./elapsed.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

Deno.test("shortDuration() uses the largest unit that fits", () => {
  const second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
  const table: [number, string][] = [
    [0, "0s"],
    [999, "0s"],
    [59 * second, "59s"],
    [90 * second, "1m"],
    [90 * minute, "1h"],
    [25 * hour, "1d"],
    [6 * day, "6d"],
    [21 * day, "21d"],
    [-second, "0s"],
  ];
  for (const [millis, text] of table) assertEquals(shortDuration(millis), text);
});

Deno.test("elapsed() counts to the end, or to now without an end, and is empty without a start", () => {
  assertEquals(elapsed("2026-01-02T03:04:00Z", "2026-01-02T03:04:03Z", NOW), "3s");
  assertEquals(elapsed("2026-01-02T03:04:00Z", undefined, NOW), "5s");
  assertEquals(elapsed(undefined, undefined, NOW), "");
});

Deno.test("elapsedInWords() uses two units", () => {
  assertEquals(elapsedInWords("2026-01-02T03:03:00Z", undefined, NOW), "1 minute 5 seconds");
});

Deno.test("elapsedInWords() truncates to its second unit, and is never negative", () => {
  assertEquals(elapsedInWords("2026-01-01T00:00:00Z", "2026-01-06T23:59:59.900Z", NOW), "5 days 23 hours");
  assertEquals(elapsedInWords("2026-01-01T00:00:01Z", "2026-01-01T00:00:00Z", NOW), "0 seconds");
});

Deno.test("timestamp() formats the time and how long ago it is", () => {
  assertEquals(timestamp("2026-01-02T01:04:05Z", NOW), "Fri Jan 02 01:04:05 +0000 (2 hours ago)");
  assertEquals(timestamp("2026-01-02T03:04:05Z", NOW), "Fri Jan 02 03:04:05 +0000 (now)");
  assertEquals(timestamp("2026-01-02T03:05:05Z", NOW), "Fri Jan 02 03:05:05 +0000 (1 minute from now)");
});

Deno.test("resourcesDurationText() sorts resources, each with the amount that one second refers to", () => {
  const durations = { "nvidia.com/gpu": 4, memory: 3, storage: 2, "ephemeral-storage": 5, cpu: 1 };
  assertEquals(
    resourcesDurationText(durations),
    "1s*(1 cpu),5s*(10Gi ephemeral-storage),3s*(100Mi memory),4s*(1 nvidia.com/gpu),2s*(10Gi storage)",
  );
});

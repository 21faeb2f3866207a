import { assertEquals, assertThrows } from "@std/assert";
import {
  DurationError,
  formatDuration,
  humanizeDuration,
  parseArgoDuration,
  parseDuration,
  SECOND,
} from "./duration.ts";

Deno.test("parseDuration: adds up its parts", () => {
  assertEquals(parseDuration("1h30m"), 5400n * SECOND);
  assertEquals(parseDuration("-1.5s"), -1_500_000_000n);
  assertEquals(parseDuration("0"), 0n);
});

Deno.test("parseDuration: rounds digits after the point as Go's floats do", () => {
  assertEquals(parseDuration("0.3333333333333333333h"), 1200n * SECOND);
  assertEquals(parseDuration("0.100000000000000000000h"), 360n * SECOND);
  assertEquals(parseDuration("0.9s"), 900_000_000n);
});

Deno.test("parseDuration: rejects days with Go's message", () => {
  assertThrows(() => parseDuration("1d"), DurationError, 'time: unknown unit "d" in duration "1d"');
  assertThrows(() => parseDuration("5"), DurationError, 'time: missing unit in duration "5"');
  assertThrows(() => parseDuration("9223372037s"), DurationError, "invalid duration");
});

Deno.test("parseArgoDuration: a plain integer is seconds", () => {
  assertEquals(parseArgoDuration("007"), 7n * SECOND);
  assertEquals(parseArgoDuration("500ms"), SECOND / 2n);
  assertThrows(() => parseArgoDuration("1e3"), DurationError, "unable to parse 1e3 as a duration");
});

Deno.test("formatDuration: omits only leading zero units", () => {
  const cases: [string, string][] = [["1h", "1h0m0s"], ["90s", "1m30s"], ["1500us", "1.5ms"], ["0s", "0s"]];
  for (const [text, printed] of cases) assertEquals(formatDuration(parseDuration(text)), printed);
});

Deno.test("humanizeDuration: names the two largest units, or one", () => {
  assertEquals(humanizeDuration(parseDuration("2h30m45s")), "2 hours 30 minutes");
  assertEquals(humanizeDuration(parseDuration("2h30m45s"), true), "2 hours");
  assertEquals(humanizeDuration(parseDuration("-2h30m45s")), "2 hours");
});

Deno.test("humanizeDuration: a duration that a float rounds to a full hour is an hour", () => {
  assertEquals(humanizeDuration(parseDuration("7550h59m59.999999999s")), "10 months 15 hours");
});

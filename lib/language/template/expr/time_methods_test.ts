import { assertEquals } from "@std/assert";
import { expectResults, typeOfAnswer } from "./testing/run.ts";

Deno.test("methods: the first of two results is used, and more than two results are rejected at compile time", () => {
  const env = { v: { time: { $time: "2024-03-10T06:30:00Z" } } };
  expectResults({
    "v.time.Date()": "2024",
    "v.time.Clock()": "6",
    "v.time.Zone()": '"UTC"',
    "date('2024-03-10').ISOWeek()": "2024",
    "date('2024-03-10').Date()": "!compile: func Date returns more then two values",
  }, env);
  assertEquals(typeOfAnswer("v.time.Date", env), "func() (int, time.Month, int)");
});

Deno.test("methods: a time can be appended to bytes, as text, by a layout, or in Go's encoding", () => {
  expectResults({
    "string(date('2024-03-10').AppendFormat(b'x', '06'))": '"[120 50 52]"',
    "len(date('2024-03-10').AppendText(b'x'))": "21",
    "date('2024-03-10T06:30:00Z').AppendBinary(b'')": '"AQAAAA7df0poAAAAAP//"',
    "date('1969-12-31T23:59:59+05:30').MarshalBinary()": '"AQAAAA53kamnAAAAAAFK"',
    "date('9999-01-01').AddDate(2, 0, 0).MarshalText()":
      "!run: json: error calling MarshalJSON for type time.Time: year outside of range [0,9999]",
  });
});

Deno.test("methods: GoString returns the code that makes the time", () => {
  expectResults({
    "date('2024-03-10').GoString()": '"time.Date(2024, time.March, 10, 0, 0, 0, 0, time.UTC)"',
    "date('2024-03-10T00:00:00+01:00').GoString()":
      '"time.Date(2024, time.March, 10, 0, 0, 0, 0, time.Location(\\"\\"))"',
  });
});

import { assertEquals } from "@std/assert";
import { LogTimes, UTC } from "./log_times.ts";

Deno.test("LogTimes: converts times of lines, also those in their text", () => {
  const [utc, berlin, tokyo] = [new LogTimes(UTC), new LogTimes("Europe/Berlin"), new LogTimes("Asia/Tokyo")];
  const time = "2026-03-28T23:30:05.123456789Z";
  assertEquals([utc, berlin, tokyo].map((logTimes) => logTimes.clockTime(time)), [
    "23:30:05.123",
    "00:30:05.123",
    "08:30:05.123",
  ]);
  const line = 'time="2026-03-28T23:30:05.123Z" level=info msg="time=x"';
  assertEquals(utc.convertTime(line), line);
  assertEquals(tokyo.convertTime(line), 'time="2026-03-29T08:30:05.123" level=info msg="time=x"');
});

Deno.test("LogTimes: keeps text that is not a time, and all times if the zone is unknown", () => {
  const tokyo = new LogTimes("Asia/Tokyo");
  for (const line of ['time="soon"', 'time="2026', "no time", `time="${"9".repeat(100)}"`]) {
    assertEquals(tokyo.convertTime(line), line);
  }
  assertEquals(tokyo.clockTime(""), "");
  assertEquals(new LogTimes("Mars/Olympus").clockTime("2026-03-28T23:30:05.123Z"), "23:30:05.123");
});

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { LogResume, splitTime } from "./resume.ts";

Deno.test("isNew: lines with the same time are distinguished by number", () => {
  const resume = new LogResume();
  const t = "2026-01-01T00:00:01.5Z";
  assertEquals([resume.isNew("p", t), resume.isNew("p", t)], [true, true]);
  resume.startStream();
  assertEquals([resume.isNew("p", t), resume.isNew("p", t), resume.isNew("p", t)], [false, false, true]);
});

Deno.test("isNew: compares times by value, with any number of digits", () => {
  const resume = new LogResume();
  resume.isNew("p", "2026-01-01T00:00:01.25Z");
  resume.startStream();
  assertEquals(resume.isNew("p", "2026-01-01T00:00:01.3Z"), true);
  assertEquals(resume.isNew("p", "2026-01-01T00:00:01.123456789Z"), false);
});

Deno.test("sinceTime: returns the whole second of the source that lags behind", () => {
  const resume = new LogResume();
  assertEquals(resume.sinceTime(), undefined);
  resume.isNew("a", "2026-01-01T00:00:09.5Z");
  resume.isNew("b", "2026-01-01T00:00:03.7Z");
  assertEquals(resume.sinceTime(), "2026-01-01T00:00:03Z");
});

Deno.test("isNew: each line is new once, wherever streams break", () => {
  const line = fc.record({ source: fc.constantFrom("a", "b", "c"), second: fc.integer({ min: 0, max: 5 }) });
  fc.assert(fc.property(fc.array(line, { maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 5 }), (lines, cuts) => {
    const all = lines.toSorted((x, y) => x.second - y.second)
      .map(({ source, second }, n) => ({ source, time: `2026-01-01T00:00:0${second}.5Z`, n }));
    const resume = new LogResume();
    const told: number[] = [];
    for (const cut of [...cuts, all.length]) {
      const since = resume.sinceTime();
      resume.startStream();
      const stream = all.filter(({ time }) => since === undefined || time >= since.replace("Z", ""));
      for (const { source, time, n } of stream.slice(0, cut === all.length ? undefined : cut)) {
        if (resume.isNew(source, time)) told.push(n);
      }
    }
    assertEquals(told.toSorted((x, y) => x - y), all.map(({ n }) => n));
  }));
});

Deno.test("isNew: continues in a complete log without times after the pod is gone", () => {
  const resume = new LogResume();
  for (const second of [1, 2, 3]) resume.isNew("p", `2026-01-01T00:00:0${second}Z`);
  resume.startStream();
  assertEquals(Array.from({ length: 5 }, () => resume.isNew("p", "")), [false, false, false, true, true]);
  resume.startStream();
  assertEquals(Array.from({ length: 6 }, () => resume.isNew("p", "")), [false, false, false, false, false, true]);
  assertEquals(resume.isNew("other", ""), true);
  assertEquals(resume.sinceTime(), "2026-01-01T00:00:03Z");
});

Deno.test("isNew: the rest of a long line, which has no time, is as new as its beginning", () => {
  const resume = new LogResume();
  const [one, two] = ["2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z"];
  assertEquals([one, "", two, ""].map((time) => resume.isNew("p", time)), [true, true, true, true]);
  resume.startStream();
  assertEquals([two, "", two, ""].map((time) => resume.isNew("p", time)), [false, false, true, true]);
});

Deno.test("splitTime: splits off the time, and returns a line without time unchanged", () => {
  assertEquals(splitTime("2026-01-01T00:00:00.123Z  two"), { time: "2026-01-01T00:00:00.123Z", text: " two" });
  assertEquals(splitTime("2026-01-01T00:00:00Z "), { time: "2026-01-01T00:00:00Z", text: "" });
  assertEquals(splitTime("no time"), { time: "", text: "no time" });
});

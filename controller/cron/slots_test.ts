import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { GoZone } from "@tiphys/base/go";
import { CronError } from "@tiphys/language/template";
import { Slots } from "./slots.ts";

const ANCHOR = Date.parse("2026-03-01T00:00:30Z");

function slotsOf(schedules: readonly string[], timezone?: string): Slots {
  return new Slots(schedules, { timezone, local: GoZone.UTC, anchor: ANCHOR });
}

function time(text: string): number {
  return Date.parse(text);
}

Deno.test("slots: the latest slot is the same as the last one found by iterating", () => {
  const schedules = fc.constantFrom("* * * * *", "*/7 * * * *", "30 2 * * *", "@every 90s", "@every 25h", "0 0 31 2 *");
  const zones = fc.constantFrom(undefined, "America/New_York", "Australia/Lord_Howe", "Europe/Berlin");
  fc.assert(
    fc.property(
      fc.array(schedules, { minLength: 1, maxLength: 3 }),
      zones,
      // Around a night in which daylight saving time begins in New York.
      fc.integer({ min: time("2026-03-08T04:00:00Z"), max: time("2026-03-08T09:00:00Z") }),
      fc.integer({ min: 0, max: 3 * 3_600_000 }),
      (texts, zone, after, millis) => {
        const slots = slotsOf(texts, zone);
        let expected: number | undefined;
        for (let time = slots.next(after); time !== undefined && time <= after + millis; time = slots.next(time)) {
          expected = time;
        }
        assertEquals(slots.latestSlot(after, after + millis), expected);
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("slots: the latest slot of years takes no more steps than that of minutes", () => {
  const slots = slotsOf(["* * * * *"]);
  assertEquals(
    slots.latestSlot(time("2020-01-01T00:00:00Z"), time("2026-11-22T10:00:59Z")),
    time("2026-11-22T10:00:00Z"),
  );
});

Deno.test("slots: a slot is after the start of an interval, and may be at its end", () => {
  const slots = slotsOf(["* * * * *"]);
  const minute = time("2026-11-22T10:00:00Z");
  assertEquals(slots.latestSlot(minute, minute + 59_999), undefined);
  assertEquals(slots.latestSlot(minute - 1, minute), minute);
  assertEquals(slots.next(minute), minute + 60_000);
});

Deno.test("slots: @every counts from its anchor, independently of the time of the call", () => {
  const slots = slotsOf(["@every 25m"]);
  const began = time("2026-03-01T00:00:30Z");
  assertEquals(slots.next(began), began + 25 * 60_000);
  assertEquals(slots.next(began + 20 * 60_000), began + 25 * 60_000);
  assertEquals(slots.latestSlot(began, began + 51 * 60_000), began + 50 * 60_000);
  assertEquals(slots.latestSlot(began, began + 60_000), undefined);
});

Deno.test("slots: a schedule that never fires has no slot", () => {
  const slots = slotsOf(["0 0 31 2 *"]);
  assertEquals([slots.next(ANCHOR), slots.latestSlot(0, ANCHOR)], [undefined, undefined]);
});

Deno.test("slots: the result that a schedule does not fire within five years is cached for a day", () => {
  // The next 29th of February is in 2104.
  const slots = slotsOf(["0 0 29 2 *"]);
  const before = time("2098-12-01T00:00:00Z");
  assertEquals(slots.next(before), undefined);
  assertEquals(slots.next(before + 1000), undefined);
  assertEquals(slots.next(time("2099-02-01T00:00:00Z")), time("2104-02-29T00:00:00Z"));
});

Deno.test("slots: schedules that take too many steps to search are reported as an error of their author", () => {
  const rare = Array.from({ length: 100 }, (_, index) => `${index % 60} ${index % 24} 29 2 *`);
  const slots = slotsOf(rare, "America/New_York");
  assertEquals(slots.next(ANCHOR), time("2028-02-29T05:00:00Z"));
  assertThrows(() => slots.latestSlot(0, ANCHOR), CronError, "the schedules take more than 50000 steps to search");
  // Equal schedules are searched once.
  const equal = slotsOf(Array(100).fill("0 0 29 2 *"), "America/New_York");
  assertEquals(equal.latestSlot(0, ANCHOR), time("2024-02-29T05:00:00Z"));
});

Deno.test("slots: a hundred schedules can be searched after a week without a controller", () => {
  const slots = slotsOf(
    Array.from({ length: 100 }, (_, index) => `${index % 60} ${index % 24} * * *`),
    "Europe/Berlin",
  );
  assertEquals(slots.latestSlot(ANCHOR - 7 * 86_400_000, ANCHOR), time("2026-02-28T23:48:00Z"));
});

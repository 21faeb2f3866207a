import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { GoZone } from "../../lib/go/mod.ts";
import { Slots } from "./slots.ts";

const ANCHOR = Date.parse("2026-03-01T00:00:30Z");

function slotsOf(schedules: readonly string[], timezone?: string): Slots {
  return new Slots(schedules, { timezone, local: GoZone.UTC, anchor: ANCHOR });
}

function time(text: string): number {
  return Date.parse(text);
}

Deno.test("the latest slot is the one that is found by going from one to the next", () => {
  const schedules = fc.constantFrom("* * * * *", "*/7 * * * *", "30 2 * * *", "@every 90s", "@every 25h", "0 0 31 2 *");
  const zones = fc.constantFrom(undefined, "America/New_York", "Australia/Lord_Howe", "Europe/Berlin");
  fc.assert(
    fc.property(
      fc.array(schedules, { minLength: 1, maxLength: 3 }),
      zones,
      // Around a night in which clocks change in New York.
      fc.integer({ min: time("2026-03-08T04:00:00Z"), max: time("2026-03-08T09:00:00Z") }),
      fc.integer({ min: 0, max: 3 * 3_600_000 }),
      (texts, zone, after, millis) => {
        const slots = slotsOf(texts, zone);
        let expected: number | undefined;
        for (let at = slots.next(after); at !== undefined && at <= after + millis; at = slots.next(at)) expected = at;
        assertEquals(slots.latest(after, after + millis), expected);
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("the latest slot of years is found as soon as that of minutes", () => {
  const slots = slotsOf(["* * * * *"]);
  assertEquals(slots.latest(time("2020-01-01T00:00:00Z"), time("2026-11-22T10:00:59Z")), time("2026-11-22T10:00:00Z"));
});

Deno.test("a slot is after the moment that was asked about, and may be at its end", () => {
  const slots = slotsOf(["* * * * *"]);
  const minute = time("2026-11-22T10:00:00Z");
  assertEquals(slots.latest(minute, minute + 59_999), undefined);
  assertEquals(slots.latest(minute - 1, minute), minute);
  assertEquals(slots.next(minute), minute + 60_000);
});

Deno.test("@every counts from where it began, whenever it is asked", () => {
  const slots = slotsOf(["@every 25m"]);
  const began = time("2026-03-01T00:00:30Z");
  assertEquals(slots.next(began), began + 25 * 60_000);
  assertEquals(slots.next(began + 20 * 60_000), began + 25 * 60_000);
  assertEquals(slots.latest(began, began + 51 * 60_000), began + 50 * 60_000);
  assertEquals(slots.latest(began, began + 60_000), undefined);
});

Deno.test("a schedule that never fires has no slot", () => {
  const slots = slotsOf(["0 0 31 2 *"]);
  assertEquals([slots.next(ANCHOR), slots.latest(0, ANCHOR)], [undefined, undefined]);
});

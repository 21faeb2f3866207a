import { assertEquals } from "@std/assert";
import { civilFromDays, daysFromCivil } from "./calendar.ts";

Deno.test("days and dates name each other, in leap years and centuries too", () => {
  for (let day = daysFromCivil(1599, 1, 1); day < daysFromCivil(2101, 1, 1); day++) {
    const { year, month, day: inMonth } = civilFromDays(day);
    const host = new Date(day * 86_400_000);
    assertEquals([year, month, inMonth], [host.getUTCFullYear(), host.getUTCMonth() + 1, host.getUTCDate()]);
    assertEquals(daysFromCivil(year, month, inMonth), day);
  }
});

Deno.test("months and days may run over", () => {
  assertEquals(civilFromDays(daysFromCivil(2024, 14, 30)), { year: 2025, month: 3, day: 2 });
  assertEquals(civilFromDays(daysFromCivil(2024, 1, -31)), { year: 2023, month: 11, day: 30 });
});

Deno.test("the calendar goes on where the host's ends", () => {
  assertEquals(civilFromDays(daysFromCivil(292_277_026_596, 12, 4)), { year: 292_277_026_596, month: 12, day: 4 });
  assertEquals(civilFromDays(daysFromCivil(-400_001, 2, 28)), { year: -400_001, month: 2, day: 28 });
});

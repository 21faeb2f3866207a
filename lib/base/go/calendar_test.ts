import { assertEquals } from "@std/assert";
import { civilFromDays, daysFromCivil } from "./calendar.ts";

Deno.test("calendar: converts dates to days and back, also in leap years and centuries", () => {
  for (let day = daysFromCivil(1599, 1, 1); day < daysFromCivil(2101, 1, 1); day++) {
    const { year, month, day: inMonth } = civilFromDays(day);
    const host = new Date(day * 86_400_000);
    assertEquals([year, month, inMonth], [host.getUTCFullYear(), host.getUTCMonth() + 1, host.getUTCDate()]);
    assertEquals(daysFromCivil(year, month, inMonth), day);
  }
});

Deno.test("daysFromCivil: carries over months and days out of range", () => {
  assertEquals(civilFromDays(daysFromCivil(2024, 14, 30)), { year: 2025, month: 3, day: 2 });
  assertEquals(civilFromDays(daysFromCivil(2024, 1, -31)), { year: 2023, month: 11, day: 30 });
});

Deno.test("calendar: supports years beyond the range of the host", () => {
  assertEquals(civilFromDays(daysFromCivil(292_277_026_596, 12, 4)), { year: 292_277_026_596, month: 12, day: 4 });
  assertEquals(civilFromDays(daysFromCivil(-400_001, 2, 28)), { year: -400_001, month: 2, day: 28 });
});

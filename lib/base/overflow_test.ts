import { assertEquals, assertThrows } from "@std/assert";
import { isOverflow, isStackOverflow } from "./overflow.ts";

Deno.test("isOverflow: true for too deep nesting and too long texts, false for other RangeErrors", () => {
  const down = (): number => 1 + down();
  const tooDeep = assertThrows(down, RangeError);
  const tooLong = assertThrows(() => "a".repeat(2 ** 30), RangeError);
  const ours = assertThrows(() => new Date(NaN).toISOString(), RangeError);
  assertEquals([tooDeep, tooLong, ours].map(isOverflow), [true, true, false]);
  assertEquals([tooDeep, tooLong, ours].map(isStackOverflow), [true, false, false]);
});

import { assertEquals } from "@std/assert";
import { growthExponent, percentile, spreadOf } from "./statistics.ts";

Deno.test("spreadOf(): returns the median and the range", () => {
  assertEquals(spreadOf([5, 1, 3]), { median: 3, minimum: 1, maximum: 5 });
  assertEquals(spreadOf([4, 2]), { median: 3, minimum: 2, maximum: 4 });
  assertEquals(spreadOf([]), undefined);
});

Deno.test("percentile(): interpolates between two numbers", () => {
  assertEquals(percentile([1, 2, 3, 4, 5], 50), 3);
  assertEquals(percentile([10, 20], 50), 15);
  assertEquals(percentile([], 99), undefined);
});

Deno.test("growthExponent(): is 1 for linear growth and 2 for quadratic growth", () => {
  assertEquals(growthExponent([[500, 2], [2000, 8], [10000, 40]])!.toFixed(6), "1.000000");
  assertEquals(growthExponent([[10, 1], [100, 100]])!.toFixed(6), "2.000000");
  assertEquals(growthExponent([[10, 1]]), undefined);
});

import { assertEquals } from "@std/assert";
import { exp, log } from "./exponential.ts";
import { pow } from "./power.ts";

Deno.test("pow: integer powers have the rounding of repeated squaring", () => {
  assertEquals(pow(10, 100), 1.0000000000000002e100);
  assertEquals(pow(2, -1074), 5e-324);
  assertEquals(pow(-2, 3), -8);
});

Deno.test("pow: fractional powers have Go's last digit", () => {
  assertEquals(pow(1.5, 1.5), 1.8371173070873836);
  assertEquals(pow(2, 0.5), Math.SQRT2);
});

Deno.test("pow: special cases equal Go's", () => {
  assertEquals([pow(1, NaN), pow(NaN, 0), pow(-1, Infinity), pow(0, -1), pow(-8, 1 / 3)], [1, 1, 1, Infinity, NaN]);
});

Deno.test("exp: agrees with the host up to the last digits", () => {
  for (const x of [-20, -1, 0, 0.5, 1, 10.25]) assertEquals(exp(x).toPrecision(14), Math.exp(x).toPrecision(14));
});

Deno.test("log: has Go's last digit, which powers show", () => {
  assertEquals(pow(3, 2.5), 15.588457268119894);
  assertEquals(pow(473, -110.42857142857143), 4.158200808537315e-296);
  assertEquals([log(0), log(-1), log(Infinity)], [-Infinity, NaN, Infinity]);
});

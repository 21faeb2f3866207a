import { assertEquals } from "@std/assert";
import {
  formatFloat,
  formatFloatExponent,
  formatFloatFixed,
  formatFloatJson,
  formatFloatPlain,
} from "./format_float.ts";

Deno.test("formatFloat: uses an exponent of two digits below 1e-4 and from 1e6", () => {
  const cases: [number, string][] = [[1e6, "1e+06"], [999999.9, "999999.9"], [0.0001, "0.0001"], [0.00001, "1e-05"]];
  for (const [value, text] of cases) assertEquals(formatFloat(value), text);
});

Deno.test("formatFloatJson: uses an exponent without padding below 1e-6 and from 1e21", () => {
  const cases: [number, string][] = [[1e6, "1000000"], [1e21, "1e+21"], [0.000001, "0.000001"], [1e-7, "1e-7"]];
  for (const [value, text] of cases) assertEquals(formatFloatJson(value), text);
});

Deno.test("formatFloatPlain: never uses an exponent", () => {
  assertEquals(formatFloatPlain(1e21), "1000000000000000000000");
  assertEquals(formatFloatPlain(1e-7), "0.0000001");
});

Deno.test("formatFloatFixed: rounds the exact value, ties to even", () => {
  assertEquals(formatFloatFixed(0.0078125), "0.007812");
  assertEquals(formatFloatFixed(2.5, 0), "2");
  assertEquals(formatFloatFixed(61.234), "61.234000");
  assertEquals(formatFloatFixed(123456789012345680000), "123456789012345683968.000000");
});

Deno.test("formatFloatExponent: carries into a new digit", () => {
  assertEquals(formatFloatExponent(9.9999999, 2), "1.00e+01");
});

Deno.test("format_float: prints NaN and infinities as Go does", () => {
  assertEquals([NaN, Infinity, -Infinity].map(formatFloat), ["NaN", "+Inf", "-Inf"]);
  assertEquals(formatFloat(-0), "-0");
});

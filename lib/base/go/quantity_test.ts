import { UserError } from "../user_error.ts";
import { assertEquals, assertThrows } from "@std/assert";
import { anyString, intOrStringToInt32, isIntOrString } from "./any_string.ts";
import { parseTime } from "./layout_parse.ts";
import { Quantity, QuantityError } from "./quantity.ts";
import { strftime } from "./strftime.ts";

Deno.test("Quantity: prints its canonical form", () => {
  const cases: [string, string][] = [["1000m", "1"], ["1.5Gi", "1536Mi"], ["0.01", "10m"], ["1.5k", "1500"], [
    "1Ki",
    "1Ki",
  ]];
  for (const [text, canonical] of cases) assertEquals(Quantity.parse(text).toString(), canonical);
});

Deno.test("Quantity: compares by value regardless of notation", () => {
  assertEquals(Quantity.parse("1Ki").compare(Quantity.parse("1024")), 0);
  assertEquals(Quantity.parse("100m").compare(Quantity.parse("1")), -1);
});

Deno.test("Quantity: a sum has the notation of the first quantity", () => {
  assertEquals(Quantity.parse("1Ki").add(Quantity.parse("1024")).toString(), "2Ki");
  assertEquals(Quantity.parse("1").subtract(Quantity.parse("1000m")).toString(), "0");
});

Deno.test("Quantity: value rounds up to integers", () => {
  assertEquals([Quantity.parse("1.5").value(), Quantity.parse("1.5").milliValue()], [2n, 1500n]);
});

Deno.test("Quantity: milliValue wraps around above 64 bits", () => {
  assertEquals(Quantity.parse("45678901234567890").milliValue(), 8785413087148786768n);
});

Deno.test("Quantity: a value above 64 bits is truncated as in Kubernetes, and a negative remainder rounds up", () => {
  assertEquals(Quantity.parse("-802441464619216740203897M").value(), 7480951911n);
  assertEquals(Quantity.parse("-0.00000000352e-3").value(), 1n);
  assertEquals(Quantity.parse("-24Ei").milliValue(), 1000n);
});

Deno.test("Quantity: a number beyond the SI suffixes is printed without a suffix", () => {
  assertEquals(Quantity.parse("1000000P").add(Quantity.parse("1000000P")).toString(), "2");
  assertEquals(Quantity.parse("1e21").add(Quantity.parse("1e21")).toString(), "2e21");
});

Deno.test("Quantity: toNumber has the rounding of Go's powers of ten", () => {
  assertEquals(Quantity.parse("3e-5").toNumber(), 3.0000000000000004e-5);
  assertEquals(Quantity.parse("1e400").toNumber(), Infinity);
});

Deno.test("Quantity: a suffix without digits is zero where Kubernetes uses 64 bits, and rejected elsewhere", () => {
  assertEquals(Quantity.parse("k").toString(), "0");
  assertThrows(() => Quantity.parse("-Pi"), QuantityError, "unable to parse numeric part of quantity");
});

Deno.test("Quantity: rejects a huge exponent", () => {
  for (const text of ["1e99999999999999999999", "1e-2147483649", "1e2147483647"]) {
    assertThrows(() => Quantity.parse(text), QuantityError, "unable to parse quantity's suffix");
  }
});

Deno.test("Quantity: rejects an invalid text with the message of Kubernetes", () => {
  assertThrows(() => Quantity.parse("1 Gi"), QuantityError, "quantities must match the regular expression");
  assertThrows(() => Quantity.parse("1K"), QuantityError, "unable to parse quantity's suffix");
});

Deno.test("anyString: an unpaired surrogate becomes U+FFFD", () => {
  assertEquals(anyString("\ud800x"), "\ufffdx");
});

Deno.test("anyString: a number is reformatted without an exponent", () => {
  assertEquals([1.5, 1e21, 1e-7, -0, true, null].map(anyString), [
    "1.5",
    "1000000000000000000000",
    "0.0000001",
    "-0",
    "true",
    "",
  ]);
});

Deno.test("isIntOrString: accepts a tag", () => {
  assertEquals(["3", "{{x}}", "3.0", " 3"].map(isIntOrString), [true, true, false, false]);
  assertEquals(intOrStringToInt32("+3"), 3);
  assertThrows(() => intOrStringToInt32("50%"), UserError, "cannot be resolved to an int");
});

Deno.test("intOrStringToInt32: truncates a larger text and rejects a larger number or a fraction", () => {
  assertEquals(intOrStringToInt32("4294967297"), 1);
  assertThrows(() => intOrStringToInt32(4294967297), UserError, "cannot unmarshal number 4294967297");
  assertThrows(() => intOrStringToInt32(1.5), UserError, "cannot unmarshal number 1.5");
});

Deno.test("strftime: replaces Argo's letters and keeps others", () => {
  const time = parseTime("2006-01-02T15:04:05Z07:00", "2024-02-29T23:05:09Z");
  assertEquals(strftime(time, "%Y-%m-%d %H:%M:%S%L %p %b %q %%"), "2024-02-29 23:05:09.000 PM Feb %q %");
});

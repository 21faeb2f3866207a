import { assertEquals } from "@std/assert";
import { atoi, nearestInteger, parseFloat64, parseInteger, truncateToInt64, wrapInt64 } from "./number.ts";

Deno.test("atoi: reads only a sign and decimal digits", () => {
  assertEquals(["007", "+5", "-5"].map(atoi), [7n, 5n, -5n]);
  assertEquals(["", " 1", "1_000", "0x10", "1e3", "1.0"].map(atoi), Array(6).fill(undefined));
});

Deno.test("atoi: rejects numbers that exceed 64 bits", () => {
  assertEquals(atoi("9223372036854775807"), 9223372036854775807n);
  assertEquals(atoi("9223372036854775808"), undefined);
});

Deno.test("digits: any number of leading zeros is allowed, and any number of other digits exceeds 64 bits", () => {
  const zeros = "0".repeat(100_000);
  assertEquals([atoi(`-${zeros}7`), atoi(zeros)], [-7n, 0n]);
  const digits = "1".repeat(100_000);
  assertEquals([atoi(digits), nearestInteger(digits), nearestInteger(`-${digits}x`)], [
    undefined,
    2n ** 63n - 1n,
    -(2n ** 63n),
  ]);
  assertEquals([parseInteger(digits).ok, parseInteger("1_000_000_000_000_000_000_000").ok], [false, false]);
});

Deno.test("parseInteger: supports prefixes, octal with a leading zero, and underscores between digits", () => {
  const read = (text: string) => {
    const result = parseInteger(text);
    return result.ok ? result.value : result.fault;
  };
  assertEquals(["0x1F", "0b101", "0o17", "017", "1_000"].map(read), [31n, 5n, 15n, 15n, 1000n]);
  assertEquals(["08", "0x", "1__0", "_1"].map(read), Array(4).fill("syntax"));
  assertEquals(read("0xFFFFFFFFFFFFFFFF"), "range");
});

Deno.test("parseFloat64: reads hexadecimal, inf and underscores, but not blanks", () => {
  const read = (text: string) => {
    const result = parseFloat64(text);
    return result.ok ? result.value : result.fault;
  };
  assertEquals(["1e3", ".5", "0x1p4", "-Inf", "1_000.5"].map(read), [1000, 0.5, 16, -Infinity, 1000.5]);
  assertEquals([" 1", "1,5", "", "1e"].map(read), Array(4).fill("syntax"));
  assertEquals(read("1e400"), "range");
});

Deno.test("wrapInt64: wraps integers to 64 bits", () => {
  assertEquals(wrapInt64(2n ** 63n), -(2n ** 63n));
});

Deno.test("truncateToInt64: a float out of range becomes the smallest integer", () => {
  assertEquals(truncateToInt64(1e300), -(2n ** 63n));
  assertEquals(truncateToInt64(-1.9), -1n);
});

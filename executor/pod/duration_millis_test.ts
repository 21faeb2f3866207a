import { assertEquals, assertThrows } from "@std/assert";
import { durationMillis } from "./duration_millis.ts";

Deno.test("durationMillis: parses Go durations and bare seconds", () => {
  const texts = ["1m30.5s", "250ms", "1500µs", "2h", "90", "0"];
  assertEquals(texts.map((text) => durationMillis(text)), [90_500, 250, 1.5, 7_200_000, 90_000, 0]);
});

Deno.test("durationMillis: returns the default for an invalid duration", () => {
  assertEquals([undefined, "", "soon", "5d"].map((text) => durationMillis(text, 7)), [7, 7, 7, 7]);
  assertEquals(durationMillis("soon"), 0);
});

Deno.test("durationMillis: does not catch unrelated errors", () => {
  assertThrows(() => durationMillis({} as unknown as string, 7), TypeError);
});

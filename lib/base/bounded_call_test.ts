import { assertEquals, assertThrows } from "@std/assert";
import { CallStoppedError, callWithin } from "./bounded_call.ts";

Deno.test("callWithin: returns the result of the call and throws its errors", () => {
  assertEquals(callWithin(60_000, () => ["a"]), ["a"]);
  assertEquals(callWithin(60_000, () => callWithin(60_000, () => 1) + 1), 2);
  assertThrows(
    () =>
      callWithin(60_000, () => {
        throw new RangeError("own");
      }),
    RangeError,
    "own",
  );
});

for (
  const [what, endless] of Object.entries({
    "a loop": () => {
      for (;;);
    },
    "a loop that catches whatever is thrown": () => {
      for (;;) {
        try {
          for (;;);
        } catch { /* Retries. */ }
      }
    },
    "a regular expression": () => /^(a+)+$/.test("a".repeat(60) + "b"),
  })
) {
  Deno.test(`callWithin: stops ${what} without an end`, () => {
    assertThrows(() => callWithin(100, endless), CallStoppedError);
    assertEquals(callWithin(60_000, () => 1), 1);
  });
}

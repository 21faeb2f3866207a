import { assert, assertEquals } from "@std/assert";
import { pauseBetweenTries } from "./pause_between_tries.ts";

Deno.test("pauseBetweenTries: finds a server that was away for ten seconds within 1.5 seconds of its return", () => {
  for (let failures = 1, away = 0; away < 10_000; failures++) {
    const pause = pauseBetweenTries({ failures, offlineMillis: away }, 1);
    assert(pause <= 1_500, `${pause} ms after ${away} ms`);
    away += pause;
  }
});

Deno.test("pauseBetweenTries: grows with the time away, up to half a minute", () => {
  assertEquals(pauseBetweenTries({ failures: 20, offlineMillis: 60_000 }, 1), 9_000);
  assertEquals(pauseBetweenTries({ failures: 900, offlineMillis: 3_600_000 }, 1), 30_000);
});

Deno.test("pauseBetweenTries: the first attempts follow soon, at different times for many pages", () => {
  assertEquals([1, 2].map((failures) => pauseBetweenTries({ failures, offlineMillis: 0 }, 1)), [500, 1_000]);
  assertEquals(pauseBetweenTries({ failures: 1, offlineMillis: 0 }, 0), 250);
});

Deno.test("pauseBetweenTries: doubles for a busy server", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) =>
    pauseBetweenTries({ failures, offlineMillis: undefined }, 1)
  );
  assertEquals(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

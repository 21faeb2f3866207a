/** The first seeds of each mode of random workflows, and those that once failed; `deno task suite random` runs more. */
import { assertEquals } from "@std/assert";
import { MODES } from "./modes.ts";

for (const { title, play, quick, onceFailed } of MODES) {
  Deno.test(title, () => {
    const seeds = [...Array(quick).keys(), ...onceFailed];
    assertEquals(seeds.flatMap((seed) => play(seed).map((problem) => `seed ${seed}: ${problem}`)), []);
  });
}

/** More seeds of each mode than the quick gate runs. */
import { assertEquals } from "@std/assert";
import { MODES } from "./modes.ts";

/** The number of seeds of each mode. */
const SEEDS = 400;

for (const { name, play, quick } of MODES) {
  Deno.test(`random workflows: the laws hold for ${SEEDS} more seeds of the mode ${name}`, () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => quick + index);
    assertEquals(seeds.flatMap((seed) => play(seed).map((problem) => `seed ${seed}: ${problem}`)), []);
  });
}

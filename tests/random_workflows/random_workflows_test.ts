import { assertEquals } from "@std/assert";
import { type PlayOptions, playRandomRun } from "./play.ts";

/** How many seeds run without options; `main.ts` runs any others. */
const SEEDS = 150;

/** How many seeds run with options. */
const SEEDS_OF_MODE = 40;

/** The options, by name, with seeds that once failed with this generator. */
const MODES: readonly {
  readonly name: string;
  readonly options: PlayOptions;
  readonly onceFailed: readonly number[];
}[] = [
  {
    name: "with inline templates, whose steps refer to each other",
    options: { references: true, inline: true },
    onceFailed: [],
  },
  { name: "stopped from outside", options: { isEnded: true }, onceFailed: [314, 326, 548] },
  {
    name: "stopped from outside, whose steps refer to each other,",
    options: { references: true, isEnded: true },
    onceFailed: [2639, 2995, 4439],
  },
  {
    name: "retried or resubmitted after it failed, whose pods get lost,",
    options: { isRepeated: true },
    onceFailed: [84, 2386],
  },
];

function problemsOf(seeds: Iterable<number>, options?: PlayOptions): string[] {
  return [...seeds].flatMap((seed) => playRandomRun(seed, options).map((problem) => `seed ${seed}: ${problem}`));
}

Deno.test("random workflows: each ends, without waiting nodes in an ended node, and without held locks", () => {
  assertEquals(problemsOf(Array(SEEDS).keys()), []);
});

for (const { name, options, onceFailed } of MODES) {
  Deno.test(`random workflows: one ${name} ends, with its pods and locks, and its DAGs agree with their tasks`, () => {
    assertEquals(problemsOf([...Array(SEEDS_OF_MODE).keys(), ...onceFailed], options), []);
  });
}

/** Seeds at which the engine once stalled with this generator; scenarios test the same rules. */
const ONCE_FAILED = [1543, 5875, 6468, 8065, 9388, 9937];

Deno.test("random workflows: seeds that once stalled end", () => {
  assertEquals(problemsOf(ONCE_FAILED), []);
});

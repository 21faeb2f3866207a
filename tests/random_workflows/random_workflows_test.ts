import { assertEquals } from "@std/assert";
import { play, type PlayOptions } from "./play.ts";

/** The number of seeds that are played without options; `main.ts` plays any others. */
const SEEDS = 150;

/** The number of seeds that are played with options. */
const SEEDS_OF_MODE = 40;

/** The ways to play a seed, by their name, with seeds that failed once with this generator. */
const MODES: readonly {
  readonly name: string;
  readonly options: PlayOptions;
  readonly onceWrong: readonly number[];
}[] = [
  {
    name: "with inline templates, whose steps refer to each other",
    options: { references: true, inline: true },
    onceWrong: [],
  },
  { name: "that is ended from outside", options: { isEnded: true }, onceWrong: [314, 326, 548] },
  {
    name: "whose steps refer to each other and that is ended from outside",
    options: { references: true, isEnded: true },
    onceWrong: [2639, 2995, 4439],
  },
  {
    name: "that is retried or resubmitted after it failed, and whose pods get lost,",
    options: { isRepeated: true },
    onceWrong: [84, 2386],
  },
];

function problemsOf(seeds: Iterable<number>, options?: PlayOptions): string[] {
  return [...seeds].flatMap((seed) => play(seed, options).map((problem) => `seed ${seed}: ${problem}`));
}

Deno.test("every random workflow ends, with nothing below an ended node that waits, and no lock that is held", () => {
  assertEquals(problemsOf(Array(SEEDS).keys()), []);
});

for (const { name, options, onceWrong } of MODES) {
  Deno.test(`random workflows: one ${name} ends, with its pods and locks, and its DAGs agree with their tasks`, () => {
    assertEquals(problemsOf([...Array(SEEDS_OF_MODE).keys(), ...onceWrong], options), []);
  });
}

/** Seeds at which the engine once stood still with this very generator; the rules behind them are scenarios, too. */
const ONCE_WRONG = [1543, 5875, 6468, 8065, 9388, 9937];

Deno.test("random workflows end that once did not", () => {
  assertEquals(problemsOf(ONCE_WRONG), []);
});

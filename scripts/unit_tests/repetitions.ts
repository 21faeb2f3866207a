/** Repetitions of tests that try many values: some in the quick gate, all of them in `deno task test --long`. */

/** The environment variable that requests all repetitions. */
export const ALL_REPETITIONS = "ALL_REPETITIONS";

/** The number of repetitions. A file that calls this is in the list `SHORTENED_TESTS` of `long_tests.ts`. */
export function repetitions(quick: number, all: number): number {
  return Deno.env.has(ALL_REPETITIONS) ? all : quick;
}

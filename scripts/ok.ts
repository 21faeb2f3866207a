/**
 * The quick gate, to run before every commit: the static checks, then the unit tests. Failures are printed as they
 * occur; the last line is `N passed, N failed, N skipped`.
 *
 *     deno task ok
 *     deno task ok --shuffle 17     the tests in random order
 */
import { programOptions } from "./program_options.ts";
import { checkLines, CHECKS, runCheck } from "./check.ts";
import { runUnitTests } from "./unit_tests/unit_tests.ts";

/** The check that takes as long as all others together, in one thread: the tests begin before it ends. */
const LONGEST = "types";

/** Runs static checks, some at a time, and returns the names of those that failed. */
async function failedChecks(names: readonly string[], lanes: number): Promise<string[]> {
  const waiting = [...names];
  const failed: string[] = [];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const result = await runCheck(name);
      for (const line of checkLines(result)) console.log(line);
      if (!result.passed) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return failed;
}

/** The counts of the tests with failed checks added to them. */
export function withFailedChecks(counts: string, failed: number): string {
  return counts.replace(/(\d+) failed/, (_, tests) => `${Number(tests) + failed} failed`);
}

if (import.meta.main) {
  const { values } = programOptions({ options: { shuffle: { type: "string" } } });
  const started = performance.now();
  const longest = failedChecks([LONGEST], 1);
  const others = Object.keys(CHECKS).filter((name) => name !== LONGEST);
  const failed = await failedChecks(others, Math.max(1, navigator.hardwareConcurrency - 1));
  const { passed, summary } = await runUnitTests({
    seed: values.shuffle === undefined ? undefined : Number(values.shuffle),
  });
  failed.push(...await longest);
  for (const line of summary.slice(0, -1)) console.log(line);
  for (const name of failed) console.log(`FAIL check ${name}: run \`deno task check ${name}\``);
  console.log(`Took ${Math.round((performance.now() - started) / 1000)} s`);
  console.log(withFailedChecks(summary.at(-1) ?? "", failed.length));
  if (!passed || failed.length > 0) Deno.exit(1);
}

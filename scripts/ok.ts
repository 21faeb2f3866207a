/**
 * The quick gate, to run before every commit: first the static checks, then the unit tests. Failures are printed as they
 * occur; the last line is `N passed, N failed, N skipped`.
 *
 *     deno task ok
 *     deno task ok --shuffle 17     the tests in random order
 */
import { programOptions } from "./program_options.ts";
import { checkLines, CHECKS, runCheck } from "./check.ts";
import { runUnitTests } from "./unit_tests/unit_tests.ts";

/** Runs the static checks, some at a time, and returns the names of those that failed. */
async function failedChecks(): Promise<string[]> {
  const waiting = Object.keys(CHECKS);
  const failed: string[] = [];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const result = await runCheck(name);
      for (const line of checkLines(result)) console.log(line);
      if (!result.passed) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, navigator.hardwareConcurrency) }, lane));
  return failed;
}

/** The counts of the tests with failed checks added to them. */
export function withFailedChecks(counts: string, failed: number): string {
  return counts.replace(/(\d+) failed/, (_, tests) => `${Number(tests) + failed} failed`);
}

if (import.meta.main) {
  const { values } = programOptions({ options: { shuffle: { type: "string" } } });
  const started = performance.now();
  const failed = await failedChecks();
  const { passed, summary } = await runUnitTests({
    seed: values.shuffle === undefined ? undefined : Number(values.shuffle),
  });
  for (const line of summary.slice(0, -1)) console.log(line);
  for (const name of failed) console.log(`FAIL check ${name}: run \`deno task check ${name}\``);
  console.log(`Took ${Math.round((performance.now() - started) / 1000)} s`);
  console.log(withFailedChecks(summary.at(-1) ?? "", failed.length));
  if (!passed || failed.length > 0) Deno.exit(1);
}

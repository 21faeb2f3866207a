/** The end of a run of the unit tests: skipped, unsteady and failed tests, and the counts. */
import type { RunResult } from "./run.ts";

/** The most files that may fail first and pass alone. */
const MAX_UNSTEADY = 3;

/** Whether a run is good: no file failed twice, and few failed once. */
export function hasPassed({ failed, unsteady }: Pick<RunResult, "failed" | "unsteady">): boolean {
  return failed.size === 0 && unsteady.size <= MAX_UNSTEADY;
}

/** The closing lines of a run; the last is `N passed, N failed, N skipped`. */
export function summaryOf(result: RunResult): string[] {
  const { passed, skipped, failed, unsteady } = result;
  const lines = skippedTests(skipped);
  if (unsteady.size > 0) {
    lines.push("Unsteady: failed, then passed alone");
    for (const [file, names] of unsteady) lines.push(...names.map((name) => `  ${file}: ${name}`));
  }
  for (const [file, names] of failed) lines.push(...names.map((name) => `FAIL ${file}: ${name}`));
  const tooMany = unsteady.size > MAX_UNSTEADY;
  if (tooMany) lines.push(`FAIL unsteady tests: ${unsteady.size} files are unsteady, at most ${MAX_UNSTEADY} may be`);
  const failures = [...failed.values()].reduce((sum, names) => sum + names.length, 0) + (tooMany ? 1 : 0);
  lines.push(`${passed} passed, ${failures} failed, ${skipped.length} skipped`);
  return lines;
}

/** Skipped tests with their reasons: tests that need the same thing are counted together. */
export function skippedTests(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const reason = /\(skipped: (needs .*)\)$/.exec(name)?.[1] ?? name;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} skipped: ${reason}`);
}

/**
 * The whole quick gate, two checks at a time: what `deno task ok` runs before every commit and CI runs first.
 * Each check is also a task of its own; of one that fails it is shown what it said. Ends with the counts of the unit tests.
 */
import { type CommandResult, runCommand } from "./command.ts";

/** The checks; the long ones first, so that the short ones fill the gaps. */
const CHECKS = ["test", "check", "gen --check", "lint", "fmt --check", "arrows", "paths"] as const;

const LANES = 2;

/** A check that ended. */
interface Outcome extends CommandResult {
  readonly check: string;
  readonly seconds: number;
}

async function runCheck(check: string): Promise<Outcome> {
  const started = performance.now();
  const command = check === "fmt --check"
    ? ["fmt", "--check"]
    : check === "lint"
    ? ["lint"]
    : ["task", ...check.split(" ")];
  const result = await runCommand([Deno.execPath(), ...command], { env: { NO_COLOR: "1" } });
  return { ...result, check, seconds: (performance.now() - started) / 1000 };
}

function report(outcome: Outcome): void {
  console.log(`${outcome.code === 0 ? "ok  " : "FAIL"} ${outcome.check} (${outcome.seconds.toFixed(1)} s)`);
  if (outcome.code !== 0) console.log(whatFailed(`${outcome.stdout}${outcome.stderr}`).trimEnd());
}

/** Of what `deno test` says, the errors and what comes after them: before it stands a line for each test that passed. */
export function whatFailed(output: string): string {
  const errors = output.indexOf("\n ERRORS \n");
  return errors < 0 ? output : output.slice(errors + 1);
}

/** The closing line of `deno test`, in the words that every kind of run here ends with. */
export function testCounts(output: string): string {
  const match = /(\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored)?/.exec(
    output,
  );
  return match ? `${match[1]} passed, ${match[2]} failed, ${match[3] ?? 0} skipped` : "0 passed, 1 failed, 0 skipped";
}

/** What was skipped, and why: tests that need the same thing are counted together. */
export function skippedTests(output: string): string[] {
  const counts = new Map<string, number>();
  for (const [, name] of output.matchAll(/^(.*?) \.\.\. ignored \(/gm)) {
    const why = /\(skipped: (needs .*)\)$/.exec(name)?.[1] ?? name;
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return [...counts].map(([why, count]) => `${count} skipped: ${why}`);
}

if (import.meta.main) {
  const waiting = [...CHECKS];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const outcome = await runCheck(check);
      report(outcome);
      outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const tests = outcomes.find(({ check }) => check === "test")?.stdout ?? "";
  for (const line of skippedTests(tests)) console.log(line);
  console.log(testCounts(tests));
  if (outcomes.some(({ code }) => code !== 0)) Deno.exit(1);
}

/**
 * The whole quick gate, two checks at a time: what `deno task ok` runs before every commit and CI runs first.
 * Each check is also a task of its own; the output of one that fails is shown. The unit tests, which take minutes, say each
 * minute how many have ended. Ends with their counts.
 */
import { type CommandResult, runCommand } from "./command.ts";

/** The checks; the long ones first, so that the short ones fill the gaps. */
const CHECKS = [
  "test",
  "check",
  "dst",
  "promises",
  "gen --check",
  "lint",
  "fmt --check",
  "arrows",
  "paths",
  "docs",
  "map --check",
] as const;

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
  const counter = new TestCounter();
  const timer = setInterval(() => {
    if (counter.count > 0) console.log(progressText(check, counter.count, performance.now() - started));
  }, PROGRESS_MILLIS);
  const result = await runCommand([Deno.execPath(), ...command], {
    env: { NO_COLOR: "1" },
    onText: (text) => counter.take(text),
  }).finally(() => clearInterval(timer));
  return { ...result, check, seconds: (performance.now() - started) / 1000 };
}

/** The time between two words on a check that is under way. */
const PROGRESS_MILLIS = 60_000;

/** Counts the tests that have ended in the output of `deno test`, as it comes. */
export class TestCounter {
  count = 0;
  #line = "";

  take(text: string): void {
    const lines = `${this.#line}${text}`.split("\n");
    this.#line = lines.pop()!;
    for (const line of lines) if (/ \.\.\. (?:ok|FAILED|ignored)\b/.test(line)) this.count++;
  }
}

function progressText(check: string, count: number, millis: number): string {
  return `     ${check}: ${count.toLocaleString("en")} tests after ${Math.round(millis / 60_000)} min`;
}

function report(outcome: Outcome): void {
  console.log(`${outcome.code === 0 ? "ok  " : "not ok"} ${outcome.check} (${outcome.seconds.toFixed(1)} s)`);
  if (outcome.code !== 0) console.log(whatFailed(`${outcome.stdout}${outcome.stderr}`).trimEnd());
}

/** The errors in the output of `deno test` and all that follows: a line for each test that passed stands before it. */
export function whatFailed(output: string): string {
  const errors = output.indexOf("\n ERRORS \n");
  return errors < 0 ? output : output.slice(errors + 1);
}

/**
 * The failures in a check, for the end of the output: of `deno test` each test that failed with the first line of its
 * error, of another check its exit code and the last lines of its output.
 */
export function reasonsOfCheck(check: string, code: number, output: string): string[] {
  const tests = [...output.matchAll(/^(.+) => (\S+:\d+:\d+)\nerror: (.*)$/gm)]
    .map(([, name, place, error]) => `FAIL ${check}: ${name} => ${place}\n  ${error}`);
  if (tests.length > 0) return tests;
  const lines = output.split("\n").filter((line) => line.trim() !== "").slice(-REASON_LINES);
  return [`FAIL ${check} ended with ${code}\n${lines.map((line) => `  ${line.trim()}`).join("\n")}`];
}

/** The lines of a check that is no test that are repeated at the end. */
const REASON_LINES = 4;

/** The closing line of `deno test`, in the words that every kind of run here ends with. */
export function testCounts(output: string): string {
  const match = /(\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored)?/.exec(
    output,
  );
  return match ? `${match[1]} passed, ${match[2]} failed, ${match[3] ?? 0} skipped` : "0 passed, 1 failed, 0 skipped";
}

/** The skipped tests with their reasons; tests that need the same thing are counted together. */
export function skippedTests(output: string): string[] {
  const counts = new Map<string, number>();
  for (const [, name = ""] of output.matchAll(/^(.*?) \.\.\. ignored \(/gm)) {
    const why = /\(skipped: (needs .*)\)$/.exec(name)?.[1] ?? name;
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return [...counts].map(([why, count]) => `${count} skipped: ${why}`);
}

/**
 * The checks that a clone cannot run, in one line; undefined where it can run all. `isThere` tells whether a folder
 * exists.
 */
export function notRunHere(isThere: (folder: string) => boolean): string | undefined {
  if (isThere(SUITE)) return undefined;
  return `Not run: the golden vectors of the template language and the conformance suite, because they are no part of a ` +
    `clone (they are looked for in ${SUITE}); the rules of the language were tested by the tables of tests/language`;
}

const SUITE = new URL("../../shared/conformance", import.meta.url).pathname;

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
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
  const missing = notRunHere(isFolder);
  if (missing) console.log(missing);
  for (const { check, code, stdout, stderr } of outcomes) {
    if (code === 0) continue;
    for (const reason of reasonsOfCheck(check, code, `${stdout}${stderr}`)) console.log(reason);
  }
  console.log(testCounts(tests));
  if (outcomes.some(({ code }) => code !== 0)) Deno.exit(1);
}

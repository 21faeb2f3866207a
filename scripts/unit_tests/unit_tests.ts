/** The unit tests as `deno task test` and `deno task ok` run them. */
import { coverageOf } from "../case_coverage.ts";
import { outputOf } from "../command.ts";
import { POD_CASES } from "../pod_cases.ts";
import { isInShare, type Share, WHOLE } from "../share.ts";
import { isLong, testFiles } from "./files.ts";
import { ALL_REPETITIONS } from "./repetitions.ts";
import { LONG_TESTS, SHORTENED_TESTS } from "./long_tests.ts";
import { runTestFiles } from "./run.ts";
import { hasPassed, summaryOf } from "./summary.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Durations of files, by which batches are balanced; files below {@link RECORDED_MILLIS} are left out. */
const DURATIONS = `${ROOT}scripts/unit_tests/durations.json`;
const RECORDED_MILLIS = 500;

/**
 * The number of processes at a time: one more than there are cores, as some tests wait for their processes and servers.
 */
const LANES = navigator.hardwareConcurrency + 1;

/** The files that failed in the last run: they run first in the next one. */
const LAST_FAILURES = `${ROOT}build/failed_tests.json`;

/** Files whose titles may name a case of pods: unit tests, and the cases that a real cluster proves. */
const TITLED = /(_test|\/e2e\/.*)\.ts$/;

/** Prints cases of pods without a test; false if there are some. */
async function podCasesAreCovered(): Promise<boolean> {
  const listed = await outputOf(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  const files = listed.split("\0").filter((file) => TITLED.test(file));
  const sources = await Promise.all(files.map((file) => Deno.readTextFile(ROOT + file).catch(() => "")));
  const { missing, unknown } = coverageOf(Object.keys(POD_CASES), sources);
  for (const id of missing) console.log(`${id} has no test: ${POD_CASES[id]}`);
  for (const id of unknown) console.log(`${id} is in the title of a test and on no list`);
  return missing.length === 0 && unknown.length === 0;
}

/** Test files that changed since the last commit but one, whose sources did, or that failed in the last run. */
async function urgentFiles(): Promise<Set<string>> {
  const changed = await outputOf(["git", "diff", "--name-only", "HEAD~1"], { cwd: ROOT }).catch(() => "");
  const failures = await Deno.readTextFile(LAST_FAILURES).then(JSON.parse).catch(() => []);
  const tests = changed.split("\n").map((file) => file.replace(/(?:_test)?\.(tsx?)$/, "_test.$1"));
  return new Set([...tests, ...failures]);
}

/** Writes the recorded durations, in tenths of seconds so that small changes do not show. */
async function recordDurations(millis: ReadonlyMap<string, number>): Promise<void> {
  const long = [...millis].filter(([, millis]) => millis >= RECORDED_MILLIS)
    .map(([file, millis]): [string, number] => [file, Math.round(millis / 100) * 100])
    .toSorted(([a], [b]) => a < b ? -1 : 1);
  await Deno.writeTextFile(DURATIONS, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
}

/** The choice of unit tests, and the options of their run. */
export interface UnitTestOptions {
  /** Files and folders, relative to the root of the project; everything but the long tests when empty. */
  readonly paths?: readonly string[];
  /** Runs the long tests and nothing else, and the shortened ones whole. */
  readonly long?: boolean | undefined;
  /** Runs only the files of this share. */
  readonly share?: Share | undefined;
  /** Runs only tests with this text in their names. */
  readonly filter?: string | undefined;
  /** Runs files and tests in random order, by this seed. */
  readonly seed?: number | undefined;
  /** Records how long each file takes. */
  readonly record?: boolean | undefined;
}

/** Runs unit tests. Returns whether they passed, and the closing lines, the last of which has the counts. */
export async function runUnitTests(
  { paths = [], long = false, share = WHOLE, filter, seed, record = false }: UnitTestOptions,
): Promise<{ readonly passed: boolean; readonly summary: readonly string[] }> {
  const files = long ? [...Object.keys(LONG_TESTS), ...SHORTENED_TESTS] : await testFiles(ROOT, paths);
  // A file that is named is run, however long it takes.
  const chosen = files.filter((file) => (paths.length > 0 || long || !isLong(file)) && isInShare(file, share));
  if (chosen.length === 0) return { passed: false, summary: [`No test files in ${paths.join(", ")}`] };
  const result = await runTestFiles(chosen, {
    root: ROOT,
    lanes: LANES,
    flags: filter === undefined ? [] : ["--filter", filter],
    seed,
    // A filter would match the names of files, which are part of the names of tests that share a graph.
    isSharing: !long && filter === undefined,
    urgent: await urgentFiles(),
    env: long ? { [ALL_REPETITIONS]: "true" } : {},
    print: (line) => console.log(line),
  });
  if (record) await recordDurations(result.millis);
  await Deno.mkdir(`${ROOT}build`, { recursive: true });
  await Deno.writeTextFile(LAST_FAILURES, JSON.stringify([...result.failed.keys(), ...result.unsteady.keys()]));
  const isCovered = paths.length > 0 || long || await podCasesAreCovered();
  return { passed: hasPassed(result) && isCovered, summary: summaryOf(result) };
}

/**
 * The simulation of the whole controller; see docs/simulation.md.
 *
 *     deno task suite dst                            300 runs, spread over the cases
 *     deno task suite dst --runs 4000 --workers 2
 *     deno task suite dst --runs 4000 --share 2/3    the second third of them
 *     deno task suite dst --suite                    also the workflows of the conformance suite
 *     deno task suite dst --seed 17 --case diamond   one run again
 *     deno task suite dst --seed 17 --case diamond --explain
 *     deno task suite dst --seed 17 --case diamond --shrink     the smallest run that fails in the same way
 *     deno task suite dst --case hello --crashes     a crash before and after every request in turn
 *     deno task suite dst --without epoch            shows the need for a fence
 */
import { programOptions } from "../../scripts/program_options.ts";
import { parseShare, runsOfShare, shareNotice } from "../../scripts/share.ts";
import { fnv1a32 } from "@tiphys/base/go/hash";
import { KubeError } from "@tiphys/kube";
import { allCases, type Case } from "./case.ts";
import { crashesAtEachCall } from "./crashes.ts";
import type { Evidence } from "./evidence.ts";
import { regressionText, timeline } from "./explain.ts";
import { type Fence, FENCES } from "./fences.ts";
import { judge } from "./oracles.ts";
import { shrink } from "./shrink.ts";
import { runCase } from "./simulation.ts";
import { distributeRuns } from "./spread.ts";
import { suiteCases } from "./suite.ts";

/** The number of runs after which progress is printed. */
const RUNS_PER_PROGRESS_LINE = 500;

const { values } = programOptions({
  options: {
    seed: { type: "string" },
    case: { type: "string" },
    runs: { type: "string", default: "300" },
    first: { type: "string", default: "1" },
    workers: { type: "string", default: "1" },
    share: { type: "string" },
    worker: { type: "string", default: "0/1" },
    suite: { type: "boolean", default: false },
    without: { type: "string", multiple: true, default: [] },
    crashes: { type: "boolean", default: false },
    explain: { type: "boolean", default: false },
    shrink: { type: "boolean", default: false },
    hashes: { type: "boolean", default: false },
  },
});

const without = new Set(values.without as Fence[]);
for (const fence of without) if (!FENCES.includes(fence)) throw new Error(`There is no fence "${fence}": ${FENCES}`);
const share = parseShare(values.share);
const { first, runs } = runsOfShare(Number(values.first), Number(values.runs), share);
const notice = shareNotice(share, runs, Number(values.runs), "runs");
if (notice && values.worker === "0/1") console.log(notice);
if (Number(values.workers) > 1) await distributeRuns(Number(values.workers), withoutWorkers(Deno.args));

const [worker, workers] = values.worker.split("/").map(Number) as [number, number];
const known = [...allCases(), ...values.suite ? suiteCases() : []];
const cases = values.case ? known.filter(({ name }) => name === values.case) : known;
if (!cases.length) throw new Error(`There is no case "${values.case}"`);
let passed = 0;
let failed = 0;
let skipped = 0;
const started = performance.now();
if (values.crashes) { for (const testCase of cases) await crash(testCase); }
else await runDrawnSeeds();
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
Deno.exit(failed ? 1 : 0);

/** Runs cases with drawn seeds, one after the other. */
async function runDrawnSeeds(): Promise<void> {
  const numbers = values.seed ? [0] : Array.from({ length: runs }, (_, index) => first - 1 + index);
  const faultless = new Map<string, Evidence | undefined>();
  for (const [index, number] of numbers.entries()) {
    const place = number % cases.length;
    if (place % workers !== worker) continue;
    const testCase = cases[place]!;
    const seed = values.seed ?? String(firstSeedOf(testCase.name) + Math.floor(number / cases.length));
    if (!faultless.has(testCase.name)) faultless.set(testCase.name, await baselineOf(testCase));
    const baseline = faultless.get(testCase.name);
    if (!baseline) continue;
    const evidence = await runCase({ case: testCase, seed, faultless: baseline, without }).catch((error) => {
      throw new Error(`${testCase.name}, seed ${seed}: ${error.message}`, { cause: error });
    });
    if (values.hashes) console.log(`${testCase.name} ${seed} ${evidence.hash} ${evidence.calls}`);
    reportRun(
      `${testCase.name}, seed ${seed}`,
      evidence,
      `deno task suite dst${testCase.isOfSuite ? " --suite" : ""} --case ${testCase.name} --seed ${seed} --shrink`,
    );
    if (values.shrink) await makeSmaller(testCase, seed, evidence);
    if ((index + 1) % RUNS_PER_PROGRESS_LINE === 0) {
      console.log(`${index + 1} of ${numbers.length} runs, ${failed} failed`);
    }
  }
}

/** The first seed of a case. Each case has its own, so that adding a case does not change the seeds of others. */
function firstSeedOf(name: string): number {
  return fnv1a32(name) % 1_000_000 + 1;
}

/** The run without faults; undefined for a workflow of the suite that fails even without faults. */
async function baselineOf(testCase: Case): Promise<Evidence | undefined> {
  let why: string | undefined;
  try {
    const baseline = await runCase({ case: testCase, seed: "faultless", faults: [] });
    why = judge(baseline)[0];
    if (!why) return baseline;
    if (!testCase.isOfSuite) {
      reportRun(`${testCase.name} without any fault`, baseline, "");
      return baseline;
    }
  } catch (error) {
    if (!testCase.isOfSuite || !(error instanceof KubeError)) throw error;
    why = error.message; // the API server refuses such an object
  }
  skipped++;
  console.log(`Not simulated: ${testCase.name}: ${why}`);
  return undefined;
}

/** The arguments for one process. */
function withoutWorkers(args: readonly string[]): string[] {
  const index = args.indexOf("--workers");
  return index < 0 ? args.filter((arg) => !arg.startsWith("--workers=")) : args.toSpliced(index, 2);
}

/** Runs a case with a crash at each request. */
async function crash(testCase: Case): Promise<void> {
  let count = 0;
  for await (const { fault: { at, kind }, evidence } of crashesAtEachCall(testCase)) {
    count++;
    reportRun(`${testCase.name}, ${kind} at ${at}`, evidence, "");
  }
  console.log(`${testCase.name}: ${count} crashes`);
}

/** Counts a run, and prints its problems. */
function reportRun(subject: string, evidence: Evidence, command: string): void {
  const problems = judge(evidence);
  if (problems.length) failed++;
  else passed++;
  if (!problems.length && !values.explain) return;
  console.log(
    `${problems.length ? "FAIL" : "ok  "} ${subject}: ${evidence.calls} calls, ${evidence.trace.length} faults`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  if (command) console.log(`  reduced with: ${command}`);
  if (!values.explain) return;
  for (const fault of evidence.trace) console.log(`  ${fault.at}: ${fault.kind} ${fault.value ?? ""}`);
  for (const line of evidence.log) console.log(`  ${line}`);
}

/** Prints the smallest run that fails in the same way, as a file for `kept/`, and its timeline. */
async function makeSmaller(testCase: Case, seed: string, { trace }: Evidence): Promise<void> {
  const smallest = await shrink({ case: testCase, seed, faults: trace, without });
  if (!smallest) return console.log("The run does not fail when its faults are injected individually");
  console.log(regressionText(smallest, smallest.case === testCase));
  for (const line of timeline(smallest.evidence)) console.log(line);
}

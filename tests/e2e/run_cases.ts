/** Runs the end-to-end cases and prints their results. */
import { Unavailable } from "../artifacts/servers/server.ts";
import type { Case, Stage } from "./case.ts";

/** The number of cases that run in parallel: most of the time, each waits for a kubelet. */
const CONCURRENCY = 6;

/** The number of cases that ended in each way. */
export interface Outcomes {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs the cases and prints a line for each; those that must be alone run one by one at the end. */
export async function runCases(stage: Stage, cases: readonly Case[]): Promise<Outcomes> {
  const outcomes = { passed: 0, failed: 0, skipped: 0 };
  const waiting = cases.filter(({ alone }) => !alone);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) outcomes[await runCase(stage, next)]++;
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  for (const each of cases) if (each.alone) outcomes[await runCase(stage, each)]++;
  return outcomes;
}

async function runCase(stage: Stage, { title, run }: Case): Promise<keyof Outcomes> {
  const started = performance.now();
  const seconds = () => `(${((performance.now() - started) / 1000).toFixed(1)} s)`;
  try {
    const measured = await run(stage);
    console.log(`PASS ${title} ${seconds()}${measured ? `: ${measured}` : ""}`);
    return "passed";
  } catch (error) {
    if (error instanceof Unavailable) {
      console.log(`SKIP ${title}: ${error.message}`);
      return "skipped";
    }
    const why = `${error instanceof Error ? error.message : error}`.replaceAll(/^/gm, "  ");
    console.log(`FAIL ${title} ${seconds()}\n${why}`);
    return "failed";
  }
}

import type { Case, Stage } from "./case.ts";

/** Cases that run side by side: most of the time each waits for a kubelet. */
const SIDE_BY_SIDE = 6;

/** Runs the cases and prints a line for each; those that must be alone run one by one at the end. Returns how many passed. */
export async function runCases(stage: Stage, cases: readonly Case[]): Promise<number> {
  const waiting = cases.filter(({ alone }) => !alone);
  let passed = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) if (await runCase(stage, next)) passed++;
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  for (const each of cases) if (each.alone && await runCase(stage, each)) passed++;
  return passed;
}

async function runCase(stage: Stage, { title, run }: Case): Promise<boolean> {
  const started = performance.now();
  const seconds = () => `(${((performance.now() - started) / 1000).toFixed(1)} s)`;
  try {
    const measured = await run(stage);
    console.log(`PASS ${title} ${seconds()}${measured ? `: ${measured}` : ""}`);
    return true;
  } catch (error) {
    const why = `${error instanceof Error ? error.message : error}`.replaceAll(/^/gm, "  ");
    console.log(`FAIL ${title} ${seconds()}\n${why}`);
    return false;
  }
}

/** The exhaustive mode: kills a controller before and after each of its requests in turn. */
import type { Case } from "./case.ts";
import type { Evidence } from "./evidence.ts";
import type { Fault } from "./faults.ts";
import { judge } from "./oracles.ts";
import { runCase } from "./simulation.ts";

/** A run in which the controller was killed at one place. */
export interface Crash {
  readonly fault: Fault;
  readonly problems: readonly string[];
  readonly evidence: Evidence;
}

/** A seed with a single controller that is restarted. */
const SEED = "crash";

/** Runs the case once for each place and kind of crash. @throws {Error} when the case fails even without a crash */
export async function* crashesAtEachCall(testCase: Case): AsyncGenerator<Crash> {
  const faultless = await runCase({ case: testCase, seed: SEED, faults: [] });
  const [problem] = judge(faultless);
  if (problem) throw new Error(`The case ${testCase.name} fails even without a crash: ${problem}`);
  for (const place of faultless.places) {
    for (const kind of ["crashBefore", "crashAfter"] as const) {
      const fault: Fault = { at: place, kind };
      const evidence = await runCase({ case: testCase, seed: SEED, faults: [fault], faultless });
      yield { fault, problems: judge(evidence), evidence };
    }
  }
}

/**
 * The conformance suite: workflows that others wrote, with what must come of each, against our controller. The suite lies beside
 * the project, not in it; where it is absent, its cases are skipped.
 *
 * - `main.ts`: `deno task suite conformance`;
 * - `on_cluster.ts`, `on_embedded.ts`: the two ways to run it;
 * - `images.ts`, `namespace.ts`: what its cases need;
 * - `choose_cases.ts`: which cases run: areas, and shares of them;
 * - `runner.ts`: the suite's own runner;
 * - `known_failures.txt`: the cases that fail, with reasons; any other failure fails the run;
 * - `refused_acts.ts`: what the installed roles refused the controller, which fails a run too;
 * - `recorded_workflows.ts`: what became of each workflow; `compare.ts`: `deno task suite compare`, whether that is the
 *   same in both places (`same_results.ts`, `comparable_status.ts`), but for `known_differences.txt`.
 */
export { type CaseResult, judgeRun, readKnownFailures } from "./known_failures.ts";
export { runOnCluster } from "./on_cluster.ts";
export { runOnEmbedded } from "./on_embedded.ts";

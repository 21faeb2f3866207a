/**
 * The conformance suite: third-party workflows with expected results, run against our controller. The suite is next to
 * the project, not in it; without it, its cases are skipped.
 *
 * - `main.ts`: `deno task suite conformance`;
 * - `on_cluster.ts`, `on_embedded.ts`: the two ways to run it;
 * - `images.ts`, `namespace.ts`: the requirements of its cases;
 * - `choose_cases.ts`: the cases to run: areas, and shares of them;
 * - `runner.ts`: the suite's own runner;
 * - `known_failures.txt`: the cases that fail, with reasons; any other failure fails the run;
 * - `refused_acts.ts`: requests that the installed roles refused to the controller, which fail a run too;
 * - `recorded_workflows.ts`: the final state of each workflow; `compare.ts`: `deno task suite compare` compares these
 * states
 *   in both places (`same_results.ts`, `comparable_status.ts`), except for `known_differences.txt`.
 */
export { type CaseResult, judgeRun, readKnownFailures } from "./known_failures.ts";
export { runOnCluster } from "./on_cluster.ts";
export { runOnEmbedded } from "./on_embedded.ts";

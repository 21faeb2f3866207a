/**
 * Simulation of workflows in tests: the controller's engine with an in-memory cluster, a clock that jumps, and
 * functions of the test in place of pods. It starts no process, uses no network and never waits.
 *
 * - `simulate.ts`: the entry point; `options.ts`: its options; `run.ts`: its result; `error.ts`: its errors
 * - `documents.ts`: parsing and validation of the input, and the choice of the workflow
 * - `cluster.ts`: pods, reports and claims, and the effects of the engine's actions; `machine.ts`: pods; `timeline.ts`:
 *   the clock
 * - `template_functions.ts`: the function of each node; `answer.ts`: its answer, checked against its template
 * - `pod_end.ts`, `pod_status.ts`: the end of a pod, and the status and report that follow
 * - `suspended_nodes.ts`: answers for suspended nodes; `standstill.ts`: why a workflow cannot continue
 *
 * It imports `lib/engine` and `lib`; only the `mod.ts` of the project imports it.
 *
 * @module
 */
export { SimulationError } from "./error.ts";
export type { Answer, SimulateOptions, TemplateCall, TemplateFunction, Value, Values } from "./options.ts";
export type { Run, RunNode } from "./run.ts";
export { simulate } from "./simulate.ts";

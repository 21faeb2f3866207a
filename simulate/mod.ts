/**
 * Workflows run in a test: the engine of the controller over a cluster that is a few maps, with a clock that jumps, and
 * functions of the test in the place of pods. No process, no network, no waiting.
 *
 * - `simulate.ts`: the whole; `options.ts`: what it is given; `run.ts`: what it answers; `error.ts`: what it refuses
 * - `documents.ts`: texts and objects read, checked, and the workflow among them chosen
 * - `cluster.ts`: pods, reports and claims, and what the engine's actions do to them; `machine.ts`: how pods run and end;
 *   `timeline.ts`: the clock
 * - `template_functions.ts`: which function answers for a node; `answer.ts`: what it said, held against what its template declares
 * - `pod_end.ts`, `pod_status.ts`: how a pod ends, and what the kubelet and the executor say of it
 * - `suspended_nodes.ts`: who answers where a workflow waits for a person; `standstill.ts`: why nothing goes on
 *
 * It knows `controller/workflow/engine` and `lib`; only the `mod.ts` of the project knows it.
 *
 * @module
 */
export { SimulationError } from "./error.ts";
export type { Answer, SimulateOptions, TemplateCall, TemplateFunction, Value, Values } from "./options.ts";
export type { Run, RunNode } from "./run.ts";
export { simulate } from "./simulate.ts";

/**
 * The meaning of a status: the one reading of phases, names, graph, attempts, progress and times for engine, CLI, simulation and
 * whoever shows workflows. Pure; runs in a browser.
 *
 * | file | holds |
 * | --- | --- |
 * | `phase.ts` | which phases are an end, a bad end, or none because nothing ran |
 * | `node_state.ts`, `workflow_state.ts` | over, fulfilled, completed, suspended; which template a node runs |
 * | `names.ts`, `pod_of_node.ts` | ids and names of nodes and pods: made, and taken apart |
 * | `graph.ts`, `attempts.ts` | who comes after whom; what a Retry node tried |
 * | `template_type.ts` | the type of a template; whether a step or task is a loop |
 * | `template_of_node.ts`, `supplied_outputs.ts` | the template of a node; what a suspended node waits for |
 * | `node_family.ts`, `levels.ts`, `tree.ts` | which nodes lie in which, and how deep; the rows of the tree that people read |
 * | `run_order.ts` | the orders in which runs are listed |
 * | `first_failure.ts` | the node with which a failure began |
 * | `progress.ts`, `time.ts`, `elapsed.ts` | `N/M`, moments, and how long something took |
 *
 * May be imported by anyone; imports `lib/go`, the types of `lib/api` and files of `lib` itself only.
 *
 * @module
 */
export * from "./attempts.ts";
export * from "./elapsed.ts";
export * from "./first_failure.ts";
export * from "./graph.ts";
export * from "./levels.ts";
export * from "./names.ts";
export * from "./node_family.ts";
export * from "./node_state.ts";
export * from "./phase.ts";
export * from "./pod_of_node.ts";
export * from "./progress.ts";
export * from "./run_order.ts";
export * from "./supplied_outputs.ts";
export * from "./template_of_node.ts";
export * from "./template_type.ts";
export * from "./time.ts";
export * from "./tree.ts";
export * from "./workflow_state.ts";
export { nodeSpanId, traceIdOf, workflowSpanId } from "./trace_id.ts";

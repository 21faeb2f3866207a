/**
 * Interprets statuses: phases, names, graph, attempts, progress and times, for the engine, CLI, simulation and page.
 * Pure; runs in a browser.
 *
 * | file | holds |
 * | --- | --- |
 * | `phase.ts` | which phases are completed, failed, or skipped |
 * | `node_state.ts`, `workflow_state.ts` | ended, fulfilled, completed, suspended; the template name of a node |
 * | `names.ts`, `pod_of_node.ts` | IDs and names of nodes and pods: formatting and parsing |
 * | `graph.ts`, `attempts.ts` | successors of nodes; attempts of a Retry node |
 * | `node_role.ts` | the role of a node by its type |
 * | `template_of_node.ts`, `supplied_outputs.ts` | the template of a node; outputs that a suspended node waits for |
 * | `node_family.ts`, `levels.ts` | containers of nodes and their depth |
 * | `tree.ts` | the rows of the displayed tree; has a dedicated face: the list of workflows does not load it |
 * | `run_order.ts` | sort orders of runs |
 * | `skipped_pod.ts` | pods that a memoized resubmit does not run again |
 * | `first_failure.ts` | the node that first failed |
 * | `progress.ts`, `time.ts`, `elapsed.ts` | `N/M`, times, and durations |
 *
 * Any package may import it; it imports only `lib/base/go`, the types of `lib/model/api` and files of `lib` itself.
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
export * from "./node_role.ts";
export * from "./node_state.ts";
export * from "./phase.ts";
export * from "./pod_of_node.ts";
export * from "./progress.ts";
export * from "./run_order.ts";
export * from "./skipped_pod.ts";
export * from "./supplied_outputs.ts";
export * from "./template_of_node.ts";
export * from "./time.ts";
export * from "./workflow_state.ts";
export { nodeSpanId, traceIdOf, workflowSpanId } from "./trace_id.ts";

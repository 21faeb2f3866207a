/**
 * The engine: what a workflow does next, given what is seen of it. No client, no clock, no logger; a pass is a function
 * from facts to a status and actions.
 *
 * - `decide.ts` is the table of contents; `pass.ts` the working state; `types.ts` what goes in and comes out
 * - questions about the whole: `ignored_fields.ts`, `time_to_live.ts`, `effective_spec.ts`, `globals.ts`, `workflow_phase.ts`, `shutdown.ts`, `claims.ts`
 * - running templates: `execute.ts`, then one file per type (`pod_node.ts`, `steps.ts`, `dag.ts` with `dag_plan.ts`, `suspend.ts`) and per
 *   matter (`retry.ts`, `hooks.ts`, `references.ts`, `parallelism.ts`, `outputs.ts`)
 * - reading the world: `task_results.ts`, `pod_status.ts`, `held_pods.ts`, `leftover_pods.ts`, `pod_restart.ts`; tidying
 *   it: `pod_cleanup.ts`, `daemons.ts`
 * - what a pass may pass over: `change_log.ts` and `logged_map.ts` (which facts changed), `attention.ts` (which nodes a
 *   question is due for), `rest.ts` (which nodes need not be executed again), `roster.ts` (which calls of a loop)
 * - nodes: `node_table.ts`, `new_node.ts`, `node_state.ts`, `outbound.ts`, `progress.ts` with `progress_sums.ts`
 *
 * A template type that is not here yet is refused in one place, the `switch` of `execute.ts`.
 */
export { ChangeLog } from "./change_log.ts";
export { decide } from "./decide.ts";
export { isDeleting, isHeld } from "./held_pods.ts";
export { LoggedMap } from "./logged_map.ts";
export { Memory } from "./memory.ts";
export { formatTime } from "./time.ts";
export type { Action, Decision, EngineConfig, Observed, Refusal } from "./types.ts";

/**
 * The engine: decides the next status and actions of a workflow from observed facts. It has no client, clock or logger.
 *
 * - `decide.ts` is the table of contents; `types.ts` has the types of facts and decisions; `pass.ts` has the facts
 *   (`facts.ts`), the draft (`draft.ts`) and the recording of dependencies (`due/evaluation.ts`) of a pass
 * - `allowance.ts`: how much a pass may create; `user_error.ts`: distinguishes user errors from defects
 * - `spec/`: the specification that runs
 * - `workflow/`: the workflow itself: phase, conditions, end, progress
 * - `templates/`: running templates, one file per type and concern; `execute.ts` is the entry point
 * - `memo/`: memoization
 * - `agent/`: templates that the workflow's agent runs: HTTP and plugin
 * - `pods/`: reading pods and task results, and cleaning them up
 * - `garbage/`: artifact garbage collection
 * - `due/`: determines which nodes a pass must check
 * - `nodes/`: the nodes of the status
 * - `locks/`: locks that are requested, waited for and held; `lock_table/`: the table of holders that grants them
 * - `pod/`: the pod builder and the interpretation of pods; `explain/`: why a workflow waits
 * - `workflow_actions/`: stop, suspend, retry, resubmit and submit as pure functions
 */
export { DEFAULT_ENGINE_LIMITS, type EngineLimits } from "./allowance.ts";
export { decide } from "./decide.ts";
export { LoggedMap } from "./due/logged_map.ts";
export { Memory } from "./due/memory.ts";
export { argoDurationMillis } from "./duration.ts";
export type { RunningGauge } from "./metrics/metric_values.ts";
export { ChangeLog } from "./nodes/change_log.ts";
export type { NodesSnapshot } from "./nodes/node_table.ts";
export { hasStatusFinalizer, isDeleting } from "./pods/deleted_pods.ts";
export { budgetRefusalKey } from "./spec/disruption_budget.ts";
export { imageKey } from "./templates/image_commands.ts";
export type {
  Action,
  Change,
  Decision,
  DeletePropagation,
  EngineConfig,
  ImageCommandResult,
  ObservedState,
  ReadConfigMap,
  Refusal,
} from "./types.ts";
export { TOO_DEEP } from "./user_error.ts";
export { type Baseline, type SimilarityFields, similarityKey } from "./workflow/baseline.ts";

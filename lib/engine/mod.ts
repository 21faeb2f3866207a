/**
 * The engine: decides the next status and actions of a workflow from observed facts. It has no client, clock or logger.
 *
 * - `decide.ts` is the table of contents; `types.ts` has the types of facts and decisions; `pass.ts` has the facts
 *   (`facts.ts`), the draft (`draft.ts`) and the recording of dependencies (`due/look.ts`) of a pass
 * - `allowance.ts`: how much a pass may create; `user_error.ts`: distinguishes user errors from defects
 * - `spec/`: the specification that runs
 * - `whole/`: the workflow as a whole: phase, conditions, end, progress
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
export { ChangeLog } from "./nodes/change_log.ts";
export { argoDurationMillis } from "./duration.ts";
export { type EngineLimits, USUAL_LIMITS } from "./allowance.ts";
export { decide } from "./decide.ts";
export type { LockFacts, LockWishes } from "./locks/lock_facts.ts";
export { LOCK_FACT, lockFact } from "./locks/lock_facts.ts";
export { isDeleting, isHeld } from "./pods/held_pods.ts";
export { LoggedMap } from "./due/logged_map.ts";
export {
  CACHE_TYPE,
  type CacheMap,
  entryText,
  lookUpEntry,
  type MemoAnswer,
  type MemoEntry,
  type MemoLookupResult,
  readEntry,
  whyNoCache,
} from "./memo/cache_map.ts";
export type { AgentFacts, FoundPlugin, TaskSetFacts } from "./agent/facts.ts";
export { AGENT } from "./agent/results.ts";
export { evictedFor, notHitSince } from "./memo/eviction.ts";
export { Memory } from "./due/memory.ts";
export type {
  Action,
  Change,
  Decision,
  DeletePropagation,
  EngineConfig,
  FoundImage,
  GarbageFacts,
  GarbageReport,
  GarbageTaskReport,
  ObservedState,
  ReadConfigMap,
  Refusal,
} from "./types.ts";
export { refusalKey as garbageRefusalKey } from "./garbage/collect.ts";
export { isOfRound } from "./garbage/collector.ts";
export { isKeptForGarbage } from "./garbage/finalizer.ts";
export type { NodesAfter } from "./nodes/node_table.ts";
export type { RunningGauge } from "./metrics/metric_values.ts";
export { imageKey } from "./templates/image_commands.ts";
export { budgetRefusal } from "./spec/disruption_budget.ts";
export { type Baseline, type Likeness, likenessOf } from "./whole/baseline.ts";
export { TOO_DEEP } from "./user_error.ts";

/**
 * The engine: what a workflow does next, given what is seen of it. No client, no clock, no logger; a pass is a function
 * from facts to a status and actions.
 *
 * - `decide.ts` is the table of contents; `types.ts` what goes in and comes out; `pass.ts` what a question is handed: the
 *   facts it reads (`facts.ts`), the draft it writes (`draft.ts`), and how it says what it depends on (`due/look.ts`)
 * - `allowance.ts`: how much a pass may make; `user_error.ts`: whose mistake an error is
 * - `spec/`: the specification that runs
 * - `whole/`: questions about the workflow as a whole: phase, conditions, end, progress
 * - `templates/`: running templates, one file per type and per matter; `execute.ts` there is the way in
 * - `memo/`: memoization
 * - `agent/`: templates that the workflow's agent does: http and plugin
 * - `pods/`: reading pods and reports, and tidying up after them
 * - `garbage/`: deleting artifacts whose time is over
 * - `due/`: what a pass may pass over
 * - `nodes/`: the nodes of the status
 * - `locks/`: locks requested, waited for and held; `lock_table/`: the table of holders that answers
 * - `pod/`: the pod builder, and the reading of pods; `explain/`: why a workflow waits
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
  lookUpIn,
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
  Observed,
  ReadConfigMap,
  Refusal,
} from "./types.ts";
export { refusalKey as garbageRefusalKey } from "./garbage/collect.ts";
export { isKeptForGarbage } from "./garbage/finalizer.ts";
export type { NodesAfter } from "./nodes/node_table.ts";
export type { RunningGauge } from "./metrics/metric_values.ts";
export { imageKey } from "./templates/image_commands.ts";
export { budgetRefusal } from "./spec/disruption_budget.ts";
export { type Baseline, type Likeness, likenessOf } from "./whole/baseline.ts";
export { TOO_DEEP } from "./user_error.ts";

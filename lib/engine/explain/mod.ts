/**
 * The reasons why a workflow waits: machine-readable, made when somebody asks, and written nowhere. Pure, and runs in a
 * browser: the controller hands in the engine's facts, others what they read through the API.
 *
 * | file | holds |
 * | --- | --- |
 * | `explain.ts` | the question, and the lists of matters that may hold something up |
 * | `reason.ts`, `evidence.ts`, `question.ts` | a reason and its codes; what is known; what a matter is asked |
 * | `workflows.ts` | matters of whole workflows: suspended, its turn, claims, the controller, what comes after the end |
 * | `locks.ts`, `memo.ts` | locks of workflows and nodes; caches of memoization |
 * | `pods.ts` | nodes that have a pod, or are to have one |
 * | `waiting_nodes.ts` | nodes that wait for a person, a time, the next attempt |
 * | `agent.ts` | nodes whose work the agent does |
 * | `calls.ts` | tasks and steps whose time has not come |
 *
 * May be imported by anyone; imports `lib/model/api`, `lib/model/status`, `lib/language/template`, `lib/base/go` and files of `lib` itself only.
 *
 * @module
 */
export * from "./evidence.ts";
export { explain, explainUnreadable } from "./explain.ts";
export { deadlockOfHolder, waitingHolders } from "./locks.ts";
export { isUnderWay, type Reason, type ReasonCode, type Ref } from "./reason.ts";

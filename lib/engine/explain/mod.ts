/**
 * The reasons why a workflow waits: machine-readable, computed on request, and not stored. Pure, and runs in a browser:
 * the controller passes the engine's facts, and other clients pass what they read through the API.
 *
 * | file | holds |
 * | --- | --- |
 * | `explain.ts` | `explain()`, and the list of possible reasons |
 * | `reason.ts`, `evidence.ts`, `explain_input.ts` | a reason and its codes; known facts; the input of each possible
 * reason | | `workflows.ts` | whole workflows: suspended, limits, claims, the controller, time after the end | |
 * `locks.ts`, `memo.ts` | locks of workflows and nodes; caches of memoization | | `pods.ts` | nodes with a pod, or with
 * a pod to be created | | `waiting_nodes.ts` | nodes that wait for a person, a time, the next attempt | | `agent.ts` |
 * nodes that the agent runs | | `calls.ts` | tasks and steps that have not started |
 *
 * May be imported by anyone; imports `lib/model/api`, `lib/model/status`, `lib/language/template`, `lib/base/go` and
 * files of `lib` itself only.
 *
 * @module
 */
export * from "./evidence.ts";
export { explain, explainUnreadable } from "./explain.ts";
export { deadlockOfHolder, waitingHolders } from "./locks.ts";
export { isCause, type Reason, type ReasonCode, type Ref } from "./reason.ts";

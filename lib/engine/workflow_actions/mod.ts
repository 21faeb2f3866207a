/**
 * Actions of users on a workflow: submit, retry, resubmit, resume, stop a node, set its outputs. Every action is a pure
 * function from the current workflow to the new one. The caller writes the result with the resourceVersion of the
 * original, so that no concurrent change is lost.
 *
 * | file | holds |
 * | --- | --- |
 * | `error.ts` | the error of an action that is not possible |
 * | `node_selector.ts` | selection of nodes |
 * | `submit_options.ts`, `override_parameters.ts`, `from_template.ts` | a new workflow |
 * | `unknown_parameters.ts` | names of parameters that a workflow does not use |
 * | `backfill.ts` | the workflows that a cron workflow would have created in a past period |
 * | `retry.ts`, `retry_plan.ts` | retry of a failed workflow |
 * | `resubmit.ts`, `memoized_nodes.ts` | a new run of a workflow, with or without its successful nodes |
 * | `suspended_nodes.ts` | nodes that wait for a user |
 * | `actor.ts` | the user of an action, if a server knows it |
 *
 * The CLI uses it, and a server can. It imports only lib and makes no requests.
 *
 * @module
 */
export * from "./actor.ts";
export * from "./backfill.ts";
export * from "./error.ts";
export * from "./from_template.ts";
export * from "./node_selector.ts";
export * from "./override_parameters.ts";
export * from "./resubmit.ts";
export * from "./retry.ts";
export * from "./submit_options.ts";
export * from "./suspended_nodes.ts";
export * from "./unknown_parameters.ts";

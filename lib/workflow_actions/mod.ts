/**
 * Actions of people on a workflow: submit, retry, resubmit, resume, stop a node, set its outputs. Every action is a pure
 * function from the workflow as it is to the workflow as it shall be; whoever calls writes the answer, with the
 * resourceVersion it was made from, so that nobody's change in between is lost.
 *
 * | file | holds |
 * | --- | --- |
 * | `error.ts` | what a person asked for and cannot have |
 * | `node_selector.ts` | which nodes are meant |
 * | `submit_options.ts`, `override_parameters.ts`, `from_template.ts` | a new workflow |
 * | `unknown_parameters.ts` | names of parameters that a workflow does not use |
 * | `backfill.ts` | the workflows that a cron workflow would have made |
 * | `retry.ts`, `retry_plan.ts` | a failed workflow made to go on |
 * | `resubmit.ts`, `remembered_nodes.ts` | a workflow made again, with or without what it had done |
 * | `suspended_nodes.ts` | what waits for a person |
 * | `actor.ts` | who did it, where a server knows that |
 *
 * The CLI uses it, and so may a server; it imports lib only and asks no cluster.
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

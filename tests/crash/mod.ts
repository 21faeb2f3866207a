/**
 * Crashes of the embedded cluster: its process is killed at random moments and restarted with the same data, while
 * workflows run whose steps append a line for every time that they run.
 *
 * - embedded_process.ts: `tiphys local` as a process; make_cache.ts: its cache
 * - chain_workflow.ts: the workflows
 * - survive_kills.ts: the conditions after each kill and at the end; main.ts: `deno task suite crash [KILLS]`
 */
export { IMAGE } from "./chain_workflow.ts";
export { makeCache } from "./make_cache.ts";
export { surviveKills } from "./survive_kills.ts";

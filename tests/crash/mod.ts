/**
 * Sudden ends of the embedded cluster: its process is killed at moments that nobody chose, and started again over the same
 * data, while workflows run whose steps leave a line for every time that they ran.
 *
 * - embedded_process.ts: `tiphys local` as a process; make_cache.ts: what it finds there
 * - chain_workflow.ts: the workflows
 * - survive_kills.ts: what must be true after each kill, and in the end; main.ts: `deno task suite crash [KILLS]`
 */
export { IMAGE } from "./chain_workflow.ts";
export { makeCache } from "./make_cache.ts";
export { surviveKills } from "./survive_kills.ts";

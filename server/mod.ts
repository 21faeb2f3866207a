/**
 * The API server: Argo's API over HTTP. `program.ts` connects and listens; `start.ts` assembles the handler of requests
 * from caches, authentication and routes; README.md describes the folders.
 *
 * @module
 */
export { readFlags, serverCommand } from "./flags.ts";
export type { ServerFlags } from "./flags.ts";
export { type LocalPage, serveLocalPage } from "./local_page.ts";
export { TICKETS_PATH } from "./page/local_gate.ts";
export { runServer } from "./program.ts";
export type { ServerWorld } from "./program.ts";

/**
 * The embedded Kubernetes API: enough of it for the real controller, kubectl and the argo CLI, in this process.
 *
 * - `server.ts`: the whole, and its ways in (a function, loopback HTTP, exec sockets); `body.ts`, `limits.ts`: what a client may
 *   take of it
 * - `route.ts`, `handler.ts`: from a request to its answer; `reading/`, `writing/`: what is done; `rules/`: what must hold;
 *   `managed_fields/`: who wrote what; `status_error.ts`: the refusals
 * - `store.ts`: objects, versions, history; `sqlite_journal.ts`: the file under it
 * - `access/`: who may do what; `described/`: what there is; `kubelet/`: logs and exec, which the kubelet answers
 *
 * It is no cluster: nothing is scheduled, and no controller of Kubernetes' own but the garbage collector runs. local/mod.ts and
 * tests import this; it imports lib only.
 */

export type { ExecStreams, KubeletHooks, KubeletLogOptions } from "./kubelet/kubelet_hooks.ts";
export { createApiServer } from "./server.ts";
export type { ApiServer, ApiServerOptions, Served } from "./server.ts";
export { openSqliteJournal, StoreInUse } from "./sqlite_journal.ts";
export { StatusError } from "./status_error.ts";

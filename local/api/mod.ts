/**
 * The embedded Kubernetes API: enough of it for the real controller, kubectl and the argo CLI, in this process.
 *
 * - `server.ts`: the server and its interfaces (a function, loopback HTTP, exec sockets); `body.ts`, `limits.ts`:
 *   limits
 * - `route.ts`, `handler.ts`: handling of requests; `reading/`, `writing/`: operations; `rules/`: validation;
 *   `managed_fields/`: owners of fields; `status_error.ts`: errors
 * - `store.ts`: objects, versions, history; `sqlite_journal.ts`: their file
 * - `access/`: authentication and authorization; `described/`: discovery and schemas; `kubelet/`: logs and exec
 *
 * It has no scheduler, and of Kubernetes' controllers only the garbage collector. local/mod.ts and
 * tests import this; it imports lib only.
 */

export type { ExecStreams, KubeletHooks, KubeletLogOptions } from "./kubelet/kubelet_hooks.ts";
export { createApiServer } from "./server.ts";
export type { ApiServer, ApiServerOptions, ServedApi } from "./server.ts";
export { openSqliteJournal, StoreInUse } from "./sqlite_journal.ts";
export { StatusError } from "./status_error.ts";

/**
 * The embedded Kubernetes API: enough of it for the real controller, kubectl and the argo CLI, in this process.
 *
 * - server.ts: the whole, and its ways in (a function, loopback HTTP, exec sockets); tokens.ts, token_request.ts,
 *   token_secret.ts, certificate.ts
 * - route.ts, handler.ts: from a request to its answer; list.ts, watch.ts, selection.ts: reading; table.ts, columns.ts,
 *   pod_summary.ts, age.ts: what kubectl prints
 * - create.ts, update.ts, apply_object.ts, delete.ts: writing; managed_fields/: who wrote what; write_request.ts,
 *   object_shape.ts, validation.ts, metadata_change.ts, pod_change.ts, field_validation.ts, defaults.ts: the rules; status_error.ts: the
 *   refusals
 * - store.ts: objects, versions, history; sqlite_journal.ts: the file under it
 * - garbage.ts, namespaces.ts: what happens by itself
 * - served_resource.ts, discovery.ts, openapi.ts: what there is; reviews.ts: who may do what
 * - kubelet_hooks.ts, exec_session.ts, memory_socket.ts: logs and exec, which the kubelet answers
 *
 * It is no cluster: whoever is let in may do everything, nothing is scheduled, and no controller of Kubernetes' own
 * but the garbage collector runs. local/mod.ts and tests import this; it imports lib only.
 */

export type { KubeletHooks, KubeletLogOptions } from "./kubelet_hooks.ts";
export { createApiServer } from "./server.ts";
export type { ApiServer, ApiServerOptions, Served } from "./server.ts";
export { openSqliteJournal, StoreInUse } from "./sqlite_journal.ts";
export { StatusError } from "./status_error.ts";

/**
 * The Kubernetes client: a thin, typed face over one transport.
 *
 * - transport.ts (network), handler_transport.ts (a server in this process), in_cluster.ts (a pod), kubeconfig.ts
 *   (a person; plain_kubeconfig.ts, login.ts), connect.ts (picks one), credentials.ts
 * - client.ts: requests; flow_control.ts: how many at a time; watch.ts, lines.ts, exec.ts: the streams under it;
 *   errors.ts: what went wrong, sorted
 * - informer.ts: a local copy that keeps itself current
 * - leader_election.ts: one at work, the others in waiting; pause.ts: waiting that can be cut short
 * - resources.ts, object.ts, selectors.ts: the nouns; patch/: patches as pure functions
 *
 * Everybody may import this. The executor takes in_cluster.ts and client.ts alone: they import nothing from npm.
 */

export { KubeClient } from "./client.ts";
export type {
  DeleteOptions,
  FieldValidation,
  KubeClientOptions,
  ListOptions,
  LogOptions,
  PatchType,
  RawRequest,
  WatchOptions,
  WriteOptions,
} from "./client.ts";
export { connectTransport } from "./connect.ts";
export type { ConnectOptions } from "./connect.ts";
export type { Credentials, CredentialSource, TlsMaterial } from "./credentials.ts";
export { isAbort, isTransientMessage, KubeError, sortError } from "./errors.ts";
export type { ErrorSort, KubeStatus, StatusDetails } from "./errors.ts";
export { CHANNEL, EXEC_PROTOCOLS } from "./exec.ts";
export type { ExecResult } from "./exec.ts";
export type { RateLimit } from "./flow_control.ts";
export { handlerTransport } from "./handler_transport.ts";
export { inClusterNamespace, inClusterTransport, isInCluster } from "./in_cluster.ts";
export { Informer } from "./informer.ts";
export type { ChangeHandler, ChangeType, InformerOptions } from "./informer.ts";
export { connectKubeconfig } from "./kubeconfig.ts";
export type { KubeconfigConnection, KubeconfigOptions } from "./kubeconfig.ts";
export { runAsLeader } from "./leader_election.ts";
export type { LeaderElectionOptions } from "./leader_election.ts";
export { keyOf } from "./object.ts";
export type { HasMetadata, KubeList, KubeObject, ObjectMeta, OwnerReference } from "./object.ts";
export * from "./patch/mod.ts";
export { pause } from "./pause.ts";
export * from "./resources.ts";
export { matchesLabelSelector, parseFieldSelector, parseLabelSelector } from "./selectors.ts";
export type { FieldRequirement, LabelSelector } from "./selectors.ts";
export { httpTransport } from "./transport.ts";
export type { HttpTransportOptions, Transport, WebSocketLike } from "./transport.ts";
export type { WatchEvent } from "./watch.ts";

/**
 * The Kubernetes client: typed requests over one transport.
 *
 * - transport.ts (network), handler_transport.ts (a server in this process), in_cluster.ts (a pod), kubeconfig.ts (a
 *   user; plain_kubeconfig.ts, exec_login.ts, login.ts), connect.ts (selects one), credentials.ts
 * - client.ts: requests; flow_control.ts: limit of concurrent requests; watch.ts, lines.ts, exec.ts: streams;
 *   errors.ts: classified errors
 * - informer.ts: a local copy that stays current; reading_informer.ts: a copy with parsed objects
 * - leader_election.ts: one active process, others on standby
 * - object_data.ts: the texts of ConfigMaps and Secrets; secret_value.ts: settings that are stored in Secrets
 * - resources.ts, object.ts, selectors.ts, owned_by.ts, field_owners.ts: types; patch/: patches as pure functions
 *
 * Any package may import this one. The executor uses only in_cluster.ts and client.ts, which have no npm imports. Code
 * that also runs in a browser uses only patch/ and selectors.ts.
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
export { connectSharedServer, connectTransport } from "./connect.ts";
export type { ConnectOptions, SharedServer } from "./connect.ts";
export type { Credentials, CredentialSource, TlsMaterial } from "./credentials.ts";
export { SilentWatchError } from "./watch.ts";
export { classifyError, isAbort, isBug, isRetryable, KubeError, throwBug } from "./errors.ts";
export type { ErrorClass, KubeErrorOptions, KubeStatus, StatusDetails } from "./errors.ts";
export { CHANNEL, EXEC_PROTOCOLS } from "./exec.ts";
export type { ExecResult } from "./exec.ts";
export { isServerSideApplied, NO_FIELD_OWNERS } from "./field_owners.ts";
export type { RateLimit } from "./flow_control.ts";
export { listMetadata } from "./list_metadata.ts";
export { abortableTransport } from "./ending_transport.ts";
export { handlerTransport } from "./handler_transport.ts";
export { inClusterNamespace, inClusterTransport, isInCluster } from "./in_cluster.ts";
export { Informer } from "./informer.ts";
export type { ChangeHandler, ChangeType, InformerOptions } from "./informer.ts";
export { binaryDataOf, dataOf } from "./object_data.ts";
export { findConfigMap } from "./find_config_map.ts";
export { ReadingInformer } from "./reading_informer.ts";
export { type SecretPlace, secretValue } from "./secret_value.ts";
export type { ReadingInformerOptions } from "./reading_informer.ts";
export { connectKubeconfig, hasKubeconfig, kubeconfigAuthorization } from "./kubeconfig.ts";
export type { KubeconfigConnection, KubeconfigOptions } from "./kubeconfig.ts";
export type { LoginChoice } from "./login.ts";
export { runAsLeader } from "./leader_election.ts";
export type { LeaderElectionOptions, Leadership } from "./leader_election.ts";
export { keyOf } from "./object.ts";
export type { HasMetadata, KubeList, KubeObject, ObjectMeta, OwnerReference } from "./object.ts";
export * from "./patch/mod.ts";
export { isOwnedBy } from "./owned_by.ts";
export * from "./resources.ts";
export { matchesLabelSelector, parseFieldSelector, parseLabelSelector } from "./selectors.ts";
export type { FieldRequirement, LabelSelector } from "./selectors.ts";
export { inTime, timedTransport } from "./timed_transport.ts";
export { isTransientMessage, type TextPattern } from "@tiphys/base/transient";
export type { TransportResponse } from "./http/mod.ts";
export { httpTransport, type Impersonation, withAuthorization } from "./transport.ts";
export type { HttpTransportOptions, Transport, WebSocketLike } from "./transport.ts";
export type { WatchEvent } from "./watch.ts";

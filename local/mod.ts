/**
 * The embedded cluster: a Kubernetes cluster in this process.
 *
 * - api/: the part of the Kubernetes API that workflows need; kubelet/: runs pods; image/: container images
 * - artifacts/: the default artifact store; embedded_artifacts.ts: connects it to the API, which provides its
 *   credentials
 * - cluster.ts: starts all of them with one data folder; data_folder.ts: the files in it
 * - crash_guard.ts: prevents an object that crashes the process from doing so after every start
 * - announcement.ts, kubeconfig.ts: how other processes and tools find the cluster
 * - executor_folder.ts: the executor that pods mount
 *
 * The cluster does not know workflows: the CLI starts the controller in addition.
 */

export { type Announcement, findRunning, type Running } from "./announcement.ts";
export { type EmbeddedCluster, type EmbeddedClusterOptions, startEmbeddedCluster } from "./cluster.ts";
export { CrashGuard } from "./crash_guard.ts";
export { type EmbeddedArtifacts, serveArtifacts } from "./embedded_artifacts.ts";
export { openStore } from "./data_folder.ts";
export { StoreInUse } from "./api/mod.ts";
export {
  type AttemptLimits,
  type RuntimeName,
  RUNTIMES,
  RuntimeUnavailable,
  type StandInPolicy,
} from "./kubelet/mod.ts";

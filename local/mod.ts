/**
 * A cluster on this machine, in this process.
 *
 * - api/: the Kubernetes API, as far as workflows need it; kubelet/: runs the pods; image/: what they run in
 * - artifacts/: the store of artifacts that name none; embedded_artifacts.ts: it, and the API that has its credentials
 * - cluster.ts: both together over one data folder; data_folder.ts: what is in it
 * - crash_guard.ts: keeps an object that ends the process from doing so after every start
 * - announcement.ts, kubeconfig.ts: how other processes and other tools find it
 * - executor_folder.ts: the executor that the pods mount
 *
 * It knows no workflow: the controller is started beside it by whoever wants workflows to run (cli).
 */

export { type Announcement, findRunning, type Running } from "./announcement.ts";
export { type EmbeddedCluster, type EmbeddedClusterOptions, startEmbeddedCluster } from "./cluster.ts";
export { CrashGuard } from "./crash_guard.ts";
export { type EmbeddedArtifacts, serveArtifacts } from "./embedded_artifacts.ts";
export { openStore } from "./data_folder.ts";
export { StoreInUse } from "./api/mod.ts";
export { type RuntimeName, RUNTIMES, RuntimeUnavailable, type StandInPolicy } from "./kubelet/mod.ts";

/**
 * A cluster on this machine, in this process.
 *
 * - api/: the Kubernetes API, as far as workflows need it; kubelet/: runs the pods; image/: what they run in
 * - cluster.ts: both together over one data folder; announcement.ts: how other processes find it
 * - executor_folder.ts: the executor that the pods mount
 *
 * It knows no workflow: the controller is started beside it by whoever wants workflows to run (cli).
 */

export { type Announcement, findRunning } from "./announcement.ts";
export { type EmbeddedCluster, type EmbeddedClusterOptions, openStore, startEmbeddedCluster } from "./cluster.ts";
export { type RuntimeName, RUNTIMES, RuntimeUnavailable } from "./kubelet/mod.ts";

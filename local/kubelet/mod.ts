/**
 * The embedded kubelet: runs the pods of the embedded API on this machine and reports what a kubelet reports.
 *
 * - `kubelet.ts`: all pods; `lost_pods.ts`: those of an earlier kubelet; `pod_worker.ts`: one pod
 * - `containers/`: one container and its attempts; `volumes/`: its mounts; `logs/`: its output
 * - `pod_addresses.ts`: addresses of pods; `pod_status.ts`, `status_reporter.ts`: their status
 * - `runtime/`: the back ends that run containers, behind the interface in `runtime/runtime.ts`
 *
 * It uses the API through lib/kube like any client. Its containers end with it.
 */

export type { AttemptLimits } from "./attempt_limits.ts";
export { artifactCacheFolder, type Kubelet, type KubeletOptions, podsFolder, startKubelet } from "./kubelet.ts";
export { chooseRuntime, type RuntimeName, RUNTIMES } from "./runtime/choose_runtime.ts";
export type { StandInPolicy } from "./runtime/sandbox.ts";
export { type ContainerRuntime, RuntimeUnavailable } from "./runtime/runtime.ts";

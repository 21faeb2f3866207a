/**
 * The embedded kubelet: runs the pods of the embedded API on this machine and reports what a kubelet reports.
 *
 * - `kubelet.ts`: pods come and go; `lost_pods.ts`: those of a kubelet before this one; `pod_worker.ts`: one pod
 * - `containers/`: one container and its attempts; `volumes/`: what it sees; `logs/`: what it wrote
 * - `pod_addresses.ts`: where pods reach each other; `pod_status.ts`, `status_reporter.ts`: what is reported
 * - `runtime/`: the back ends that make containers, behind the interface of `runtime/runtime.ts`
 *
 * It speaks to the API like anybody else, through lib/kube. Its containers end with it.
 */

export { artifactCacheFolder, type Kubelet, type KubeletOptions, podsFolder, startKubelet } from "./kubelet.ts";
export { chooseRuntime, type RuntimeName, RUNTIMES } from "./runtime/choose_runtime.ts";
export type { StandInPolicy } from "./runtime/sandbox.ts";
export { type ContainerRuntime, RuntimeUnavailable } from "./runtime/runtime.ts";

/**
 * The embedded kubelet: runs the pods of the embedded API on this machine and reports what a kubelet reports.
 *
 * - kubelet.ts: pods come and go; lost_pods.ts: those of a kubelet before this one
 * - pod_worker.ts: one pod; container_runner.ts: one container and its attempts
 * - volumes.ts, volume_files.ts, container_mounts.ts, pod_files.ts: what a container sees; lookup.ts: where it comes from
 * - pod_addresses.ts: where pods reach each other
 * - container_command.ts: what it runs; environment.ts, expand_variables.ts, downward_api.ts: its variables
 * - pod_status.ts, status_reporter.ts, termination_message.ts, readiness.ts: what is reported
 * - container_log.ts, log_file.ts, log_reader.ts, saved_logs.ts: what it wrote
 * - runtime/: the back ends that make containers, behind the interface of runtime.ts; engine/ is docker's and podman's
 *
 * It speaks to the API like anybody else, through lib/kube. Its containers end with it.
 */

export { type Kubelet, type KubeletOptions, podsFolder, startKubelet } from "./kubelet.ts";
export { chooseRuntime, type RuntimeName, RUNTIMES } from "./runtime/choose_runtime.ts";
export { type ContainerRuntime, RuntimeUnavailable } from "./runtime/runtime.ts";

/**
 * Pods: building them from templates, and deriving the state of their nodes from them.
 *
 * `buildPod` is a list of steps in `build.ts`, whose order is significant. The steps are in `parts/`. Both layouts
 * share all of them; `layouts/` has the differences. `reading/` interprets a pod and finds the cause of its failure.
 * All of it is pure: it uses no clock, client or file.
 *
 * @module
 */
export { agentAccount, type AgentPlugin, type AgentSettings, buildAgentPod } from "./agent_pod.ts";
export { buildPod } from "./build.ts";
export { buildGarbagePod, garbageLabel } from "./garbage_pod.ts";
export { MAX_ACTIVE_SECONDS } from "./parts/deadline.ts";
export { executorServiceAccount } from "./parts/service_account.ts";
export { isMainName } from "./parts/template_containers.ts";
export { podGcDelay } from "./pod_gc_delay.ts";
export { auxNameOf } from "./reading/failure.ts";
export { interpretPod, pendingMessage, type PodFacts } from "./reading/interpret.ts";
export { isExecutorInit } from "./reading/is_executor_init.ts";
export { isInitless } from "./reading/is_initless.ts";
export { isSingleContainer } from "./reading/is_single_container.ts";
export type { ExecutorConfig, ImageCommand, NodeTrace, UnknownImage } from "./request.ts";

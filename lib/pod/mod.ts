/**
 * Pods: how they are built from templates, and what they say about their nodes afterwards.
 *
 * `buildPod` is a list of steps in `build.ts`; the order is part of the behaviour. Both layouts share every step and
 * differ only in what `layout.ts` names: `initless.ts` and `legacy.ts`; `choose_layout.ts` picks one. `interpretPod` reads a pod back
 * (`interpret.ts`), with `failure.ts` to find the one cause to tell. All of it is pure: no clock, no client, no file.
 *
 * @module
 */
export { isBaseImagePath, overlappingMount, userVolumeMounts } from "./artifact_paths.ts";
export { buildPod } from "./build.ts";
export { auxNameOf } from "./failure.ts";
export { type ContainerFacts, interpretPod, type PodFacts } from "./interpret.ts";
export { cleanPath, isWithin } from "./paths.ts";
export { podGcDelay } from "./pod_gc_delay.ts";
export type {
  ArtifactDriver,
  ExecutorConfig,
  ImageCommand,
  KubeConfigSecret,
  PodBuild,
  PodRequest,
} from "./request.ts";
export { executorServiceAccount } from "./service_account.ts";
export { isMainName, mainNames } from "./template_containers.ts";

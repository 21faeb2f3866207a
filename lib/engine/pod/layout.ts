/** The two layouts of a pod: what they differ in, and the draft of a pod that all building steps work on. */
import type { Pod, PodContainer, Template, Volume, VolumeMount } from "@tiphys/model/api";
import type { PluginUse } from "./parts/plugin_use.ts";
import type { PodRequest } from "./request.ts";

/**
 * A pod while it is being built. Steps change `pod` in place; everything else stays as it is. The order of the steps
 * is in `build.ts` and matters: mirrors copy the mounts that exist when they run, and podSpecPatch cannot undo what
 * comes after it.
 */
export interface PodDraft {
  readonly request: PodRequest;
  /** The template with its archive location settled. */
  readonly template: Template;
  readonly layout: PodLayout;
  /** Whether the pod has an aux container. */
  readonly hasAux: boolean;
  /** Whether the emissary in main is the only executor of the pod, and nobody reports. */
  readonly isSingle?: boolean;
  /** Seconds that the pod may be active. */
  readonly activeLimit?: number;
  readonly pod: Pod;
  /** The warnings for the user about a pod that is built all the same. */
  readonly warnings: string[];
}

/** One way to bring the executor, the template and the inputs to the user's containers. */
export interface PodLayout {
  readonly kind: "initless" | "legacy";
  /** The container that reports, in this layout. */
  readonly auxName: string;
  /** Templates that need the aux container although resource and data templates do without it. */
  needsAux(template: Template): boolean;
  /** The aux container's command line and what else only this layout gives it. */
  auxContainer(draft: PodDraft): PodContainer;
  /** The executor's own init containers. */
  initContainers(draft: PodDraft): PodContainer[];
  /** The volumes that bring argoexec, beyond the one all pods have. */
  executorVolumes(request: PodRequest): Volume[];
  /** The mount that puts the executor's tree at `/argo-bin` of a user's container. */
  readonly executorMount: VolumeMount;
  /** The path of argoexec in a user's container. */
  readonly argoexec: string;
  /** The container that stages files before main: it sees staging and secrets. */
  isStager(container: PodContainer): boolean;
  /** The containers that load inputs, the stager and those of plugins. */
  isLoader(container: PodContainer): boolean;
  /** Whether the aux container has inputs loaded by plugins; otherwise they have init containers. */
  readonly auxLoadsInputs: boolean;
  /** The plugins that get a sidecar. */
  sidecarPlugins(use: PluginUse): readonly string[];
  /** The mounts by which inputs get to `main`. The layout may refuse the template. */
  inputMounts(template: Template): VolumeMount[];
  /** Whether a container gets the template by environment variable; others read the staged file. */
  carriesTemplate(container: PodContainer, draft: PodDraft): boolean;
  /** Whether the emissary waits for the aux container's word before it starts the user's process. */
  waitsForReady(draft: PodDraft): boolean;
}

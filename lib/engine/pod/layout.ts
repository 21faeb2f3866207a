/** The differences between the two layouts of a pod, and the draft of a pod that all build steps change. */
import type { Pod, PodContainer, Template, Volume, VolumeMount } from "@tiphys/model/api";
import type { PluginUse } from "./parts/plugin_use.ts";
import type { PodRequest } from "./request.ts";

/**
 * A pod that is being built. Steps change only `pod`, in place. Their order, in `build.ts`, is significant: mirrors
 * copy the mounts that exist when they run, and podSpecPatch cannot undo later steps.
 */
export interface PodDraft {
  readonly request: PodRequest;
  /** The template with its resolved archive location. */
  readonly template: Template;
  readonly layout: PodLayout;
  /** Whether the pod has an aux container. */
  readonly hasAux: boolean;
  /** Whether the emissary in main is the only executor of the pod, so that the pod creates no task result. */
  readonly isSingle?: boolean;
  /** Seconds that the pod may be active. */
  readonly activeLimit?: number;
  readonly pod: Pod;
  /** Warnings for the user about a valid pod. */
  readonly warnings: string[];
}

/** A layout: the way in which the user's containers get the executor, the template and the inputs. */
export interface PodLayout {
  readonly kind: "initless" | "legacy";
  /** The name of the aux container, which reports to the controller. */
  readonly auxName: string;
  /** Whether a resource or data template needs the aux container, which most do not. */
  needsAux(template: Template): boolean;
  /** The aux container with the settings that are specific to this layout. */
  auxContainer(draft: PodDraft): PodContainer;
  /** The executor's own init containers. */
  initContainers(draft: PodDraft): PodContainer[];
  /** The volumes with argoexec, in addition to the volume of all pods. */
  executorVolumes(request: PodRequest): Volume[];
  /** The mount of the executor's files at `/argo-bin` in a user's container. */
  readonly executorMount: VolumeMount;
  /** The path of argoexec in a user's container. */
  readonly argoexec: string;
  /** Whether a container stages files before main. It mounts the staging volume and secrets. */
  isStager(container: PodContainer): boolean;
  /** Whether a container loads inputs: the stager and plugin containers. */
  isLoader(container: PodContainer): boolean;
  /** Whether the aux container calls plugins to load inputs. Otherwise, plugins have init containers for that. */
  readonly auxLoadsInputs: boolean;
  /** The plugins that get a sidecar. */
  sidecarPlugins(use: PluginUse): readonly string[];
  /** The mounts of inputs in `main`. @throws {PodBuildError} if the layout does not support the template. */
  inputMounts(template: Template): VolumeMount[];
  /** Whether a container gets the template as an environment variable. Others read the staged file. */
  hasTemplateVariable(container: PodContainer, draft: PodDraft): boolean;
  /** Whether the emissary waits for READY of the aux container before it starts the user's process. */
  waitsForReady(draft: PodDraft): boolean;
}

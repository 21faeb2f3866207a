/** The legacy layout: an init container stages all files, and `wait` reports. For clusters without image volumes. */
import { hasStore } from "@tiphys/model/artifact/stores";
import { CONTAINER, PATH, VOLUME } from "@tiphys/base/constants";
import { cleanPath, overlappingMount } from "@tiphys/model/pod";
import { pluginInitContainers } from "../parts/plugin_containers.ts";
import { executorContainer, logFlags } from "../parts/executor_container.ts";
import type { PodLayout } from "../layout.ts";

/** The layout of Argo, and of clusters that cannot mount images. */
export const LEGACY: PodLayout = {
  kind: "legacy",
  auxName: CONTAINER.wait,
  needsAux: () => false,

  auxContainer({ request }) {
    return executorContainer(CONTAINER.wait, ["argoexec", "wait", ...logFlags(request.config)], request);
  },

  initContainers: (draft) => [
    executorContainer(CONTAINER.init, ["argoexec", "init", ...logFlags(draft.request.config)], draft.request),
    ...pluginInitContainers(draft),
  ],

  executorVolumes: () => [],
  /** `init` copies the files into the volume that all containers share. */
  executorMount: {
    name: VOLUME.varRunArgo,
    mountPath: PATH.argoBin,
    subPath: PATH.legacyArgoBin.slice(PATH.varRunArgo.length + 1),
    readOnly: true,
  },
  argoexec: PATH.legacyArgoexec,

  isStager: ({ name }) => name === CONTAINER.init,
  isLoader: ({ name }) => name === CONTAINER.init || name.startsWith(CONTAINER.initArtifactPrefix),
  auxLoadsInputs: false,
  sidecarPlugins: ({ outputs }) => outputs,

  /** One mount per artifact at its path. Artifacts in user volumes are written to the volume instead. */
  inputMounts: (template) =>
    (template.inputs?.artifacts ?? [])
      .filter((artifact) => artifact.path && !overlappingMount(template, artifact.path))
      .filter((artifact) => !artifact.optional || hasStore(artifact))
      .map(({ name, path }) => ({ name: VOLUME.inputArtifacts, mountPath: cleanPath(path!), subPath: name })),

  /**
   * Containers with their own rights get the template from the controller, not from the file that all containers share.
   */
  hasTemplateVariable: ({ name }, { pod, template: { resource, data } }) =>
    name === CONTAINER.wait || (name === CONTAINER.main && (resource !== undefined || data !== undefined)) ||
    (pod.spec.initContainers?.some((init) => init.name === name) ?? false),

  waitsForReady: () => false,
};

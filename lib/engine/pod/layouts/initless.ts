/** The init-less layout: argoexec from an image volume, a supervisor container next to main, and no init container. */
import type { Template } from "@tiphys/model/api";
import { CONTAINER, ENV, PATH, VOLUME } from "@tiphys/base/constants";
import { isArgoSidecar } from "@tiphys/model/container_names";
import { cleanPath, isWithin, mountedFolders, mountsOfMain } from "@tiphys/model/pod";
import { setEnv } from "../parts/environment.ts";
import { executorContainer, logFlags } from "../parts/executor_container.ts";
import type { PodLayout } from "../layout.ts";
import { PodBuildError } from "../request.ts";

/** The layout for clusters with image volumes. */
export const INITLESS: PodLayout = {
  kind: "initless",
  auxName: CONTAINER.supervisor,

  /** Resource templates need the supervisor only to fetch a manifest that is an artifact. */
  needsAux: (template) => template.resource?.manifestFrom !== undefined,

  auxContainer({ request }) {
    const command = ["argoexec", "supervisor", ...logFlags(request.config)];
    const container = executorContainer(CONTAINER.supervisor, command, request);
    setEnv(container, [{ name: ENV.initlessPod, value: "true" }]);
    return container;
  },

  initContainers: () => [],

  executorVolumes: ({ config }) => [{
    name: VOLUME.argoexecBin,
    image: { reference: config.image, ...(config.imagePullPolicy ? { pullPolicy: config.imagePullPolicy } : {}) },
  }],
  executorMount: { name: VOLUME.argoexecBin, mountPath: PATH.argoBin, readOnly: true },
  argoexec: PATH.argoexec,

  isStager: ({ name }) => name === CONTAINER.supervisor,
  isLoader: ({ name }) => isArgoSidecar(name),
  auxLoadsInputs: true,
  sidecarPlugins: ({ inputs, outputs }) => [...new Set([...inputs, ...outputs])],

  /** The whole volume, and folders at their paths. The emissary links all other artifacts to the volume. */
  inputMounts(template) {
    checkNoMountBelow(template);
    const folders = mountedFolders(template).map(({ name, path }) => ({
      name: VOLUME.inputArtifacts,
      mountPath: cleanPath(path!),
      subPath: name,
    }));
    return [{ name: VOLUME.inputArtifacts, mountPath: PATH.inputArtifacts }, ...folders];
  },

  hasTemplateVariable({ name }, { hasAux, pod, template }) {
    if (name === CONTAINER.supervisor) return true;
    // If main is the executor, it has its own rights and must not trust the file that all containers share.
    if (name === CONTAINER.main) return !hasAux || isExecutorTemplate(template);
    return pod.spec.initContainers?.some((init) => init.name === name) ?? false;
  },

  waitsForReady: ({ hasAux }) => hasAux,
};

/** Whether the executor itself runs a template. */
function isExecutorTemplate({ resource, data }: Template): boolean {
  return resource !== undefined || data !== undefined;
}

/** Rejects mounts below an artifact's path: linking the artifact clears its path first. */
function checkNoMountBelow(template: Template): void {
  for (const { name, path } of template.inputs?.artifacts ?? []) {
    if (!path) continue;
    const mount = mountsOfMain(template).find(({ mountPath }) =>
      isWithin(path, mountPath) && cleanPath(path) !== cleanPath(mountPath)
    );
    if (!mount) continue;
    throw new PodBuildError(
      `input artifact "${name}" path "${path}" is an ancestor of volume mount "${mount.name}" (${mount.mountPath}); ` +
        "this is not supported in init-less pod mode because staging the artifact would clear the mounted volume",
    );
  }
}

/** The emissary in front of the user's command. */
import type { PodContainer } from "../api/mod.ts";
import { ENV, VOLUME } from "../constants.ts";
import { isArgoSidecar } from "../container_names.ts";
import { setEnv } from "./environment.ts";
import { logFlags } from "./executor_container.ts";
import type { PodDraft } from "./layout.ts";
import { type ImageCommand, PodBuildError, type PodRequest } from "./request.ts";
import { withMounts } from "./template_containers.ts";
import { VAR_RUN_ARGO_MOUNT } from "./volumes.ts";

const LOOKUP_DOCS = "https://argo-workflows.readthedocs.io/en/latest/workflow-executors/#emissary-emissary";

/**
 * Puts the emissary in front of every container that is not ours, those of a podSpecPatch included, and gives all
 * containers what the protocol needs. Runs after the patch, so a patch cannot take it away.
 */
export function wrapCommands(draft: PodDraft): void {
  const { pod, request } = draft;
  const grace = pod.spec.terminationGracePeriodSeconds;
  pod.spec.containers = pod.spec.containers.map((original, index) => {
    const wrapped = isArgoSidecar(original.name) ? { ...original } : wrap(original, draft);
    if (grace !== undefined) setEnv(wrapped, [{ name: ENV.terminationGracePeriodSeconds, value: String(grace) }]);
    const scratch = original.image === request.config.image
      ? [{ name: VOLUME.tmpDirArgo, mountPath: "/tmp", subPath: String(index) }]
      : [];
    return withMounts(wrapped, [...scratch, VAR_RUN_ARGO_MOUNT]);
  });
}

function wrap(container: PodContainer, draft: PodDraft): PodContainer {
  const { request, layout } = draft;
  const resolved = resolveCommand(container, request);
  const command = [layout.argoexec, "emissary", ...logFlags(request.config), "--", ...resolved.command ?? []];
  const wrapped = { ...resolved, command };
  if (layout.waitsForReady(draft)) setEnv(wrapped, [{ name: ENV.waitForReady, value: "true" }]);
  // The executor's image has a link of this name to its own root; a mount upon a link to "/" is refused.
  if (container.image === request.config.image) return wrapped;
  return withMounts(wrapped, [layout.executorMount]);
}

/**
 * The container with a command: its own, or that of its image. An image's arguments count only where the container
 * names none; an empty list is a list.
 */
export function resolveCommand(container: PodContainer, { config }: PodRequest): PodContainer {
  if (container.command?.length) return container;
  const image = imageCommand(container.image ?? "", config.images);
  if (!image) {
    throw new PodBuildError(
      `failed to look-up entrypoint/cmd for image "${container.image ?? ""}", you must either explicitly specify the ` +
        `command, or list the image's command in the index: ${LOOKUP_DOCS}: the image is not in the index`,
    );
  }
  const args = container.args ?? image.cmd;
  return { ...container, command: image.entrypoint ?? [], ...(args ? { args } : {}) };
}

function imageCommand(image: string, index: Readonly<Record<string, ImageCommand>>): ImageCommand | undefined {
  const command = Object.hasOwn(index, image) ? index[image] : undefined;
  return command && (command.entrypoint?.length || command.cmd?.length) ? command : undefined;
}

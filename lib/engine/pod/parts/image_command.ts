/** The command of a container without one. */
import type { PodContainer } from "@tiphys/model/api";
import { IMAGE_COMMAND } from "@tiphys/base/constants";
import { type ImageCommand, type PodRequest, UnknownImageError } from "../request.ts";

const LOOKUP_DOCS = "https://argo-workflows.readthedocs.io/en/latest/workflow-executors/#emissary-emissary";

/**
 * Returns the container with a command: its own, or that of its image. The image's arguments are used only if the
 * container has no list of arguments, not even an empty one. If the machine knows images, it supplies commands that are
 * not listed.
 */
export function resolveCommand(container: PodContainer, { config }: PodRequest): PodContainer {
  if (container.command?.length) return container;
  const image = imageCommand(container.image ?? "", config.images);
  if (!image && config.nodeKnowsImages) return { ...container, command: [IMAGE_COMMAND] };
  if (!image) {
    throw new UnknownImageError(
      container.image ?? "",
      `failed to look-up entrypoint/cmd for image "${container.image ?? ""}", you must either explicitly specify the ` +
        `command, or list the image's command in the index: ${LOOKUP_DOCS}`,
    );
  }
  const args = container.args ?? image.cmd;
  return { ...container, command: image.entrypoint ?? [], ...(args ? { args } : {}) };
}

function imageCommand(image: string, index: Readonly<Record<string, ImageCommand>>): ImageCommand | undefined {
  const command = Object.hasOwn(index, image) ? index[image] : undefined;
  return command && (command.entrypoint?.length || command.cmd?.length) ? command : undefined;
}

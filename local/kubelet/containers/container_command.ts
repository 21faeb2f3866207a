/** The command of a container, combined from its own and that of its image as in Kubernetes. */
import type { PodContainer } from "@tiphys/model/api";
import { IMAGE_COMMAND } from "@tiphys/base/constants";
import { ByteBudget, expandVariables } from "./expand_variables.ts";
import type { ImageConfig } from "@tiphys/registry/image_error";

/**
 * Returns the program and its arguments.
 * @throws {Error} if neither the container nor its image has a command.
 */
export function containerCommand(
  container: PodContainer,
  image: Pick<ImageConfig, "entrypoint" | "cmd">,
  env: ReadonlyMap<string, string>,
): string[] {
  const command = container.command?.length ? container.command : [IMAGE_COMMAND];
  const usesImage = command.includes(IMAGE_COMMAND);
  const args = container.args ?? (usesImage ? image.cmd : []);
  // Arguments of a container alone are not a command, unless the image has an entrypoint or arguments.
  if (usesImage && image.entrypoint.length + image.cmd.length === 0) throw noCommandError(container);
  const room = new ByteBudget();
  const expanded = (word: string) => expandVariables(word, env, room);
  const own = command.flatMap((word) => word === IMAGE_COMMAND ? image.entrypoint : [expanded(word)]);
  return [...own, ...args.map(expanded)];
}

function noCommandError({ name, image }: PodContainer): Error {
  return new Error(
    `Container "${name}" has no command, and the command of its image ${JSON.stringify(image ?? "")} is unknown`,
  );
}

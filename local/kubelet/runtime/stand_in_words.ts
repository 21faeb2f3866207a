/** Notices about stand-ins for images. */

import { Folder, resolveEntry } from "@tiphys/base/confined";
import type { ContainerSpec } from "./runtime.ts";
import { SEARCH_PATH } from "./search_path.ts";

/** The ways for users to get the image itself, or the missing program. */
const REMEDIES =
  "load it (tiphys image load), name a mirror in registries.yaml, or let containers use the programs of " +
  "this machine (--runtime host)";

/** The maximum number of folders of a search path that are searched for a message. */
const MAX_SEARCHED_FOLDERS = 64;

/** A shell's exit code for a missing program. */
export const NOT_FOUND = 127;

/** The notice about a stand-in, shown once per image: one short line, because it appears in a live tree. */
export function standInNotice(image: string): string {
  return `Image ${image} cannot be pulled: using a stand-in with common tools`;
}

/** The message for a container that failed because the stand-in at `root` does not contain a program. */
export function missingProgramMessage(root: string, spec: ContainerSpec, exitCode: number): string | undefined {
  const program = programOfCommand(spec);
  if (program !== "" && !isInside(root, spec, program)) {
    return `${JSON.stringify(program)} is not in the stand-in for the image ${JSON.stringify(spec.image)}: ${REMEDIES}`;
  }
  if (exitCode !== NOT_FOUND) return undefined;
  return `A program was not found in the stand-in for the image ${JSON.stringify(spec.image)}: ${REMEDIES}`;
}

/** The first word of a container's command, or the first word after `--` of an emissary. */
export function programOfCommand({ command }: ContainerSpec): string {
  return command[command[1] === "emissary" ? command.indexOf("--") + 1 : 0] ?? "";
}

/** Reports whether a program is in the image or in a mount. */
function isInside(root: string, { env, mounts }: ContainerSpec, program: string): boolean {
  const search = (env.get("PATH") ?? SEARCH_PATH).split(":").slice(0, MAX_SEARCHED_FOLDERS);
  const places = program.includes("/") ? [program] : search.map((folder) => `${folder}/${program}`);
  using image = Folder.open(root);
  return places.some((place) => {
    const mount = mounts.find(({ target }) => place.startsWith(`${target}/`));
    // Any path below a mount counts as a program, because volumes are not searched.
    return mount !== undefined || isProgramIn(image, place);
  });
}

/** Reports whether a path of an image is a program. Links are resolved within the image. */
function isProgramIn(image: Folder, path: string): boolean {
  try {
    using found = resolveEntry(image, path, { links: "follow", last: true });
    using held = found.hold();
    const info = held?.info();
    return info?.isFile === true && ((info.mode ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}

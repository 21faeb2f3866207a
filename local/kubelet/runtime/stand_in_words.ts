/** Notices about an image that another one stands in for. */

import { Folder, walk } from "@tiphys/base/confined";
import type { ContainerSpec } from "./runtime.ts";
import { SEARCH_PATH } from "./search_path.ts";

/** The ways in which a user can get the image itself, or what the image would have. */
const REMEDIES =
  "load it (tiphys image load), name a mirror in registries.yaml, or let containers use the programs of " +
  "this machine (--runtime host)";

/** No more folders of a search path are looked into for the sake of a message. */
const MOST_FOLDERS = 64;

/** A shell's exit code for a program that it did not find. */
export const NOT_FOUND = 127;

/** The notice about a stand-in, given once for each image: one short line, as it appears in a live tree. */
export function standInNotice(image: string): string {
  return `Image ${image} cannot be pulled: using a stand-in with common tools`;
}

/** The message for a container of the stand-in at `root` that failed for a program which the stand-in lacks. */
export function missingInStandIn(root: string, spec: ContainerSpec, exitCode: number): string | undefined {
  const program = wantedProgram(spec);
  if (program !== "" && !isInside(root, spec, program)) {
    return `${JSON.stringify(program)} is not in the stand-in for the image ${JSON.stringify(spec.image)}: ${REMEDIES}`;
  }
  if (exitCode !== NOT_FOUND) return undefined;
  return `A program was not found in the stand-in for the image ${JSON.stringify(spec.image)}: ${REMEDIES}`;
}

/** The first word of a container's command; where an emissary is in front of it, the first word behind `--`. */
export function wantedProgram({ command }: ContainerSpec): string {
  return command[command[1] === "emissary" ? command.indexOf("--") + 1 : 0] ?? "";
}

/** Whether a program lies in the image, or in what is mounted over it. */
function isInside(root: string, { env, mounts }: ContainerSpec, program: string): boolean {
  const search = (env.get("PATH") ?? SEARCH_PATH).split(":").slice(0, MOST_FOLDERS);
  const places = program.includes("/") ? [program] : search.map((folder) => `${folder}/${program}`);
  using image = Folder.open(root);
  return places.some((place) => {
    const mount = mounts.find(({ target }) => place.startsWith(`${target}/`));
    // A path below a mount counts as a program: the pod's volumes are not looked into.
    return mount !== undefined || isProgramIn(image, place);
  });
}

/** Whether a path of an image leads to a program, links followed within the image. */
function isProgramIn(image: Folder, path: string): boolean {
  try {
    using found = walk(image, path, { links: "follow", last: true });
    using held = found.hold();
    const info = held?.info();
    return info?.isFile === true && ((info.mode ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}

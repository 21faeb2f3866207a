/** The log file of a main container, as the auxiliary container reads it. */
import { type Handle, resolveEntry } from "@tiphys/base/confined";
import { PATH } from "@tiphys/base/constants";
import { at, type World } from "../world.ts";
import { openFolderIfExists } from "./main_files.ts";

/** A log file that is open until it is disposed of. */
export interface ContainerLog extends Disposable {
  readonly held: Handle;
}

/**
 * Opens the log of a container. Returns undefined if the container wrote none. Symbolic links are not followed, because
 * main can write to that folder too.
 * @throws {Error} when the path is not a regular file.
 */
export function openLog(world: World, container: string): ContainerLog | undefined {
  using root = openFolderIfExists(at(world, PATH.varRunArgo));
  if (!root) return undefined;
  const found = resolveEntry(root, `${PATH.containers.slice(PATH.varRunArgo.length)}/${container}/combined`, {
    links: "refuse",
    last: true,
  });
  const held = found.hold();
  if (held?.info().isFile) {
    return {
      held,
      [Symbol.dispose]() {
        held[Symbol.dispose]();
        found[Symbol.dispose]();
      },
    };
  }
  held?.[Symbol.dispose]();
  found[Symbol.dispose]();
  if (held) throw new Error("Expected a file, got a folder, pipe, socket or device");
  return undefined;
}

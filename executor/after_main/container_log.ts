/** The file with all that a container printed, as an auxiliary container finds it. */
import { type Held, walk } from "../../lib/confined/mod.ts";
import { PATH } from "../../lib/constants.ts";
import { at, type World } from "../world.ts";
import { folderIfThere } from "./main_files.ts";

/** A log that is held until it is disposed of. */
export interface ContainerLog extends Disposable {
  readonly held: Held;
}

/**
 * The log of a container; undefined when it left none. No link is followed: main may have written there, too.
 * @throws {Error} when something else than a file is there.
 */
export function logOf(world: World, container: string): ContainerLog | undefined {
  using root = folderIfThere(at(world, PATH.varRunArgo));
  if (!root) return undefined;
  const found = walk(root, `${PATH.containers.slice(PATH.varRunArgo.length)}/${container}/combined`, {
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

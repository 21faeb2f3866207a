/** The two containers of the legacy layout: `init` before main, `wait` beside it. */
import { EXIT, PATH } from "../../lib/constants.ts";
import { Folder } from "../../lib/confined/mod.ts";
import { finish } from "../after_main/after_main.ts";
import { asAuxContainer, type AuxContainer } from "../pod/aux_container.ts";
import { failureAt, messageOf, writeTerminationMessage } from "../failure.ts";
import { stageClock } from "../pod/stage_clock.ts";
import { stageTemplate } from "./stage.ts";
import { at, type World } from "../world.ts";

/**
 * The folders of the executor's own tree in its image; `init` copies them to where the other containers can run them.
 */
const OWN_TREE = ["bin", "lib"];

/** Copies the executor, then stages what main needs. */
export async function init(world: World): Promise<number> {
  return await asAuxContainer(world, async (container) => await stage(world, container));
}

async function stage(world: World, { inbox, deadline }: AuxContainer): Promise<number> {
  try {
    using shared = Folder.open(at(world, PATH.varRunArgo));
    // This container may have been started before, and others have put something there since.
    for (const path of [PATH.legacyArgoBin, PATH.legacyArgoexec]) shared.remove(nameOf(path));
    using tree = shared.makeFolder(nameOf(PATH.legacyArgoBin), 0o755);
    for (const folder of OWN_TREE) await copyTree(`${PATH.argoBin}/${folder}`, tree, folder);
    // Main sees the tree at its usual place, and this name is the one that Argo's clients know.
    Deno.symlinkSync(PATH.argoexec, shared.at(nameOf(PATH.legacyArgoexec)));
    const stages = stageClock(world);
    await stageTemplate(world, AbortSignal.any([inbox.ended, deadline.reached]), stages);
    stages.handOver();
    return 0;
  } catch (error) {
    const failure = failureAt("inputs", deadline.reached.aborted ? deadline.reached.reason : error);
    writeTerminationMessage(world, messageOf(failure));
    world.log(failure.message);
    return EXIT.executorError;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Copies what is our own into a folder that others can change. */
async function copyTree(from: string, into: Folder, as: string): Promise<void> {
  using to = into.makeFolder(as, 0o755);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyTree(`${from}/${name}`, to, name);
    else {
      const { mode } = await Deno.stat(`${from}/${name}`);
      using made = to.create(name, 0o600);
      // The system copies it: through this process, streams would take 16 MB at once.
      await Deno.copyFile(`${from}/${name}`, made.path);
      Deno.chmodSync(made.path, mode! & 0o777);
    }
  }
}

/** Waits for main and reports. */
export async function wait(world: World): Promise<number> {
  return await asAuxContainer(
    world,
    ({ inbox, deadline }) => finish(world, { stop: inbox.ended, deadline, stages: stageClock(world) }),
  );
}

/** The two auxiliary containers of the legacy layout: `init` runs before main, `wait` next to it. */
import { EXIT, PATH } from "@tiphys/base/constants";
import { Folder } from "@tiphys/base/confined";
import { collectAndReport } from "../after_main/after_main.ts";
import { type AuxContainer, runAuxContainer } from "../pod/aux_container.ts";
import { messageOf, toExecutorError, writeTerminationMessage } from "../failure.ts";
import { stageClock } from "../pod/stage_clock.ts";
import { stageTemplate } from "./stage.ts";
import { at, type World } from "../world.ts";

/**
 * The folders of the executor in its image. `init` copies them to a volume from which the other containers run them.
 */
const OWN_TREE = ["bin", "lib"];

/** Copies the executor and stages the template, script and inputs. */
export async function init(world: World): Promise<number> {
  return await runAuxContainer(world, async (container) => await stageInputs(world, container));
}

async function stageInputs(world: World, { inbox, deadline }: AuxContainer): Promise<number> {
  try {
    using shared = Folder.open(at(world, PATH.varRunArgo));
    // This container may have run before, and other containers may have written to the volume since.
    for (const path of [PATH.legacyArgoBin, PATH.legacyArgoexec]) shared.remove(nameOf(path));
    using tree = shared.createFolder(nameOf(PATH.legacyArgoBin), 0o755);
    for (const folder of OWN_TREE) await copyTree(`${PATH.argoBin}/${folder}`, tree, folder);
    // The tree is mounted in main at its usual path. Clients of Argo expect this path of the executor.
    Deno.symlinkSync(PATH.argoexec, shared.pathOf(nameOf(PATH.legacyArgoexec)));
    const stages = stageClock(world);
    await stageTemplate(world, AbortSignal.any([inbox.ended, deadline.reached]), stages);
    stages.handOver();
    return 0;
  } catch (error) {
    const failure = toExecutorError("inputs", deadline.reached.aborted ? deadline.reached.reason : error);
    writeTerminationMessage(world, messageOf(failure));
    world.log(failure.message);
    return EXIT.executorError;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Copies trusted files into a folder that other containers can change. */
async function copyTree(from: string, into: Folder, as: string): Promise<void> {
  using to = into.createFolder(as, 0o755);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyTree(`${from}/${name}`, to, name);
    else {
      const { mode } = await Deno.stat(`${from}/${name}`);
      using made = to.create(name, 0o600);
      // Deno.copyFile copies inside the kernel. Streams would need 16 MB of memory.
      await Deno.copyFile(`${from}/${name}`, made.path);
      Deno.chmodSync(made.path, mode! & 0o777);
    }
  }
}

/** Waits for main and reports its outputs. */
export async function wait(world: World): Promise<number> {
  return await runAuxContainer(
    world,
    ({ inbox, deadline }) => collectAndReport(world, { stop: inbox.ended, deadline, stages: stageClock(world) }),
  );
}

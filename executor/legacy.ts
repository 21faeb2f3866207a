/** The two containers of the legacy layout: `init` before main, `wait` beside it (spec/pods 3). */
import { EXIT, PATH } from "../lib/constants.ts";
import { finish } from "./after_main.ts";
import { openDeadline } from "./deadline.ts";
import { failureAt, messageOf, writeTerminationMessage } from "./failure.ts";
import { openInbox } from "./inbox.ts";
import { stageTemplate } from "./stage.ts";
import { at, containerFolder, makeSharedFolder, ownName, type World } from "./world.ts";

/** Where the executor's own tree lies in its image; `init` copies it to where the other containers can run it. */
const OWN_TREE = ["bin", "lib"];

/** Copies the executor, then stages what main needs. */
export async function init(world: World): Promise<number> {
  Deno.umask(0);
  using deadline = await openDeadline(world);
  const name = ownName(world);
  await makeSharedFolder(containerFolder(world, name));
  await using inbox = openInbox(world, name);
  try {
    const tree = at(world, PATH.legacyArgoBin);
    for (const folder of OWN_TREE) await copyTree(`${PATH.argoBin}/${folder}`, `${tree}/${folder}`);
    // Main sees the tree at its usual place, and this name is the one that Argo's clients know.
    await Deno.remove(at(world, PATH.legacyArgoexec)).catch(() => {}); // This container may have been started before.
    await Deno.symlink(PATH.argoexec, at(world, PATH.legacyArgoexec));
    await stageTemplate(world, AbortSignal.any([inbox.ended, deadline.reached]));
    return 0;
  } catch (error) {
    const failure = failureAt("inputs", deadline.reached.aborted ? deadline.reached.reason : error);
    writeTerminationMessage(world, messageOf(failure));
    world.log(failure.message);
    return EXIT.executorError;
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyTree(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Waits for main and reports. */
export async function wait(world: World): Promise<number> {
  Deno.umask(0);
  using deadline = await openDeadline(world);
  const name = ownName(world);
  await makeSharedFolder(containerFolder(world, name));
  await using inbox = openInbox(world, name);
  return await finish(world, { stop: inbox.ended, deadline });
}

/** `tiphys ui`: opens the page of the running embedded cluster. */
import { Command } from "commander";
import { CommandError } from "../command_error.ts";
import { dataDirOf, type GlobalFlags } from "../flags/global_flags.ts";
import { clusterFlagsText } from "../view/cluster_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly open: boolean;
}

/** Creates the command `ui`. */
export function uiCommand(world: World): Command {
  return new Command("ui").argument("[workflow]", "workflow to open")
    .option("--no-open", "print the link instead of opening a browser")
    .action((workflow: string | undefined, _flags: unknown, self: Command) =>
      show(workflow, self.optsWithGlobals<Flags>(), world)
    );
}

async function show(workflow: string | undefined, flags: Flags, world: World): Promise<void> {
  const dataDir = dataDirOf(flags, world);
  const page = await world.findPage(dataDir);
  if (!page) {
    throw new CommandError(
      `No page is served for data folder ${dataDir}: start the embedded cluster with  tiphys local${
        clusterFlagsText({ data: dataDir })
      }`,
    );
  }
  const namespace = flags.namespace ?? "default";
  const path = workflow === undefined ? "" : `workflows/${[namespace, workflow].map(encodeURIComponent).join("/")}`;
  const link = await page.link(path);
  world.out(`${link}\nThe link is valid until the cluster ends\n`);
  if (flags.open && world.terminal()) await world.openLink(link);
}

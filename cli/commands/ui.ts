/** `tiphys ui`: opens the page of the running embedded cluster. */
import { Command } from "commander";
import { CommandError } from "../command_error.ts";
import { resolveName } from "@tiphys/service";
import { dataDirOf, type GlobalFlags, withCluster } from "../flags/global_flags.ts";
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
  const link = await page.link(
    workflow === undefined ? "" : await pathOf(workflow, { ...flags, data: dataDir }, world),
  );
  world.out(`${link}\nThe link is valid until the cluster ends\n`);
  if (flags.open && world.terminal()) await world.openLink(link);
}

/** The path of a workflow of the embedded cluster in its page; `@latest` is the newest. */
async function pathOf(workflow: string, flags: GlobalFlags, world: World): Promise<string> {
  return await withCluster(world, flags, async ({ service, namespace }) => {
    const name = await resolveName(service, namespace, workflow);
    return `workflows/${[namespace, name].map(encodeURIComponent).join("/")}`;
  });
}

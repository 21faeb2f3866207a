/** `tiphys resume`: suspended workflows, or only some nodes of theirs, go on. */
import { Command } from "commander";
import { addSelectorFlags, chooseNames, forEachName, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly nodeFieldSelector?: string;
}

/** Makes the command. */
export function resumeCommand(world: World): Command {
  return addSelectorFlags(new Command("resume").argument("[workflows...]", "names; @latest is the newest"))
    .option("--node-field-selector <fields>", "only nodes with these fields, such as `displayName=approve`")
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const { nodeFieldSelector } = flags;
      return withCluster(world, flags, async (connection) => {
        const { service, namespace } = connection;
        await forEachName(await chooseNames(connection, given, flags, world.now()), async (name) => {
          await service.resume(namespace, name, { nodeFieldSelector });
          world.out(`workflow ${name} resumed\n`);
        });
      });
    });
}

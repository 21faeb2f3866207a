/** `tiphys suspend`. */
import { Command } from "commander";
import { ActionError } from "../../lib/workflow_actions/mod.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

/** Makes the command. */
export function suspendCommand(world: World): Command {
  return addSelectorFlags(new Command("suspend").argument("[workflows...]", "names; @latest is the newest"))
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<GlobalFlags & WorkflowFilter>();
      return withCluster(world, flags, async (connection) => {
        const { service, namespace } = connection;
        for (const name of await chooseNames(connection, given, flags, world.now())) {
          try {
            await service.suspend(namespace, name);
          } catch (error) {
            if (!(error instanceof ActionError)) throw error;
            throw new CommandError(`failed to suspend ${name}: ${error.message}`);
          }
          world.out(`workflow ${name} suspended\n`);
        }
      });
    });
}

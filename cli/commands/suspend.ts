/** `tiphys suspend`. */
import { Command } from "commander";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { getWorkflow } from "../change_workflow.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../choose_workflows.ts";
import { CommandError } from "../command_error.ts";
import { hasFinished } from "../follow_workflow.ts";
import { type GlobalFlags, withCluster } from "../global_flags.ts";
import type { World } from "../world.ts";

/** Makes the command. */
export function suspendCommand(world: World): Command {
  return addSelectorFlags(new Command("suspend").argument("[workflows...]", "names; @latest is the newest"))
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<GlobalFlags & WorkflowFilter>();
      return withCluster(world, flags, async ({ client, namespace }) => {
        for (const name of await chooseNames(client, namespace, given, flags, world.now())) {
          if (hasFinished(await getWorkflow(client, namespace, name))) {
            throw new CommandError(`failed to suspend ${name}: cannot suspend completed workflows`);
          }
          await client.patch(WORKFLOWS, namespace, name, { spec: { suspend: true } });
          world.out(`workflow ${name} suspended\n`);
        }
      });
    });
}

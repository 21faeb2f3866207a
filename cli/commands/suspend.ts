/** `tiphys suspend`. */
import { Command } from "commander";
import { hasFinished } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { actOnWorkflows } from "../flags/act_on_workflows.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

/** Creates the command `suspend`. */
export function suspendCommand(world: World): Command {
  return addSelectorFlags(new Command("suspend").argument("[workflows...]", "names; @latest is the newest"))
    .action((requestedNames: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<GlobalFlags & WorkflowFilter>();
      return withCluster(world, flags, async (connection) => {
        const { service, namespace } = connection;
        await actOnWorkflows(connection, await chooseNames(connection, requestedNames, flags, world), {
          done: "suspended",
          whyIdle: (workflow) =>
            workflow.spec.suspend && !hasFinished(workflow) ? "it is suspended already" : undefined,
          act: async (name) => {
            try {
              await service.suspend(namespace, name);
            } catch (error) {
              if (!(error instanceof ActionError)) throw error;
              throw new CommandError(`failed to suspend ${name}: ${error.message}`);
            }
          },
        }, world);
      });
    });
}

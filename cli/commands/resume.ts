/** `tiphys resume`: resumes suspended workflows, or some of their suspended nodes. */
import { Command } from "commander";
import { isSuspended } from "@tiphys/model/status";
import { actOnWorkflows } from "../flags/act_on_workflows.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly nodeFieldSelector?: string;
}

/** Creates the command `resume`. */
export function resumeCommand(world: World): Command {
  return addSelectorFlags(new Command("resume").argument("[workflows...]", "names; @latest is the newest"))
    .option("--node-field-selector <fields>", "only nodes with these fields, such as `displayName=approve`")
    .action((requestedNames: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const { nodeFieldSelector } = flags;
      return withCluster(world, flags, async (connection) => {
        const { service, namespace } = connection;
        await actOnWorkflows(connection, await chooseNames(connection, requestedNames, flags, world), {
          done: "resumed",
          whyIdle: (workflow) => nodeFieldSelector || isSuspended(workflow) ? undefined : "it is not suspended",
          act: (name) => service.resume(namespace, name, { nodeFieldSelector }),
        }, world);
      });
    });
}

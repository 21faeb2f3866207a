/** `tiphys resume`: suspended workflows, or only some nodes of theirs, go on. */
import { Command } from "commander";
import { resumeWorkflow, setNodes } from "../../lib/workflow_actions/mod.ts";
import { changeWorkflow } from "../change_workflow.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../choose_workflows.ts";
import { type GlobalFlags, withCluster } from "../global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly nodeFieldSelector?: string;
}

/** Makes the command. */
export function resumeCommand(world: World): Command {
  return addSelectorFlags(new Command("resume").argument("[workflows...]", "names; @latest is the newest"))
    .option("--node-field-selector <fields>", "only nodes with these fields: `displayName=approve`")
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const { nodeFieldSelector: nodes } = flags;
      return withCluster(world, flags, async ({ client, namespace }) => {
        for (const name of await chooseNames(client, namespace, given, flags, world.now())) {
          await changeWorkflow(
            client,
            namespace,
            name,
            (workflow) =>
              nodes
                ? setNodes(workflow, nodes, { phase: "Succeeded" }, world.now())
                : resumeWorkflow(workflow, world.now()),
          );
          world.out(`workflow ${name} resumed\n`);
        }
      });
    });
}

/** `tiphys stop`: workflows end with their exit handlers; with a node selector, suspended nodes fail instead. */
import { Command } from "commander";
import { setNodes } from "../../lib/workflow_actions/mod.ts";
import { changeWorkflow, shutDown } from "../change_workflow.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../choose_workflows.ts";
import { type GlobalFlags, withCluster } from "../global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly nodeFieldSelector?: string;
  readonly message?: string;
  readonly dryRun?: boolean;
}

/** Makes the command. */
export function stopCommand(world: World): Command {
  return addSelectorFlags(new Command("stop").argument("[workflows...]", "names; @latest is the newest"))
    .option("--node-field-selector <fields>", "fail the suspended nodes with these fields, in place of the workflow")
    .option("--message <text>", "the message of these nodes")
    .option("--dry-run", "only say which workflows would be stopped")
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const { nodeFieldSelector: nodes, message, dryRun } = flags;
      return withCluster(world, flags, async ({ client, namespace }) => {
        for (const name of await chooseNames(client, namespace, given, flags, world.now())) {
          if (!dryRun && nodes) {
            await changeWorkflow(
              client,
              namespace,
              name,
              (workflow) => setNodes(workflow, nodes, { phase: "Failed", message }, world.now()),
            );
          } else if (!dryRun) {
            await shutDown(client, namespace, name, "Stop");
          }
          world.out(`workflow ${name} stopped${dryRun ? " (dry-run)" : ""}\n`);
        }
      });
    });
}

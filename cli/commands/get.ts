/** `tiphys get`. */
import { Command } from "commander";
import { parseNodeSelector } from "../../lib/workflow_actions/mod.ts";
import { getWorkflow } from "../change_workflow.ts";
import { resolveName } from "../choose_workflows.ts";
import { badInput } from "../command_error.ts";
import { withCluster } from "../global_flags.ts";
import { outputOption } from "../print_object.ts";
import { type PrintFlags, printWorkflow } from "../print_workflow.ts";
import type { World } from "../world.ts";

interface Flags extends PrintFlags {
  readonly status?: string;
  readonly nodeFieldSelector?: string;
}

/** Makes the command. */
export function getCommand(world: World): Command {
  return new Command("get").argument("<workflows...>", "names; @latest is the newest")
    .addOption(outputOption("name", "json", "yaml", "short", "wide"))
    .option("--status <phase>", "only nodes in this phase")
    .option("--node-field-selector <fields>", "only nodes with these fields: `phase=Failed`")
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const shows = nodeFilter(flags);
      return withCluster(world, flags, async ({ client, namespace }) => {
        for (const [index, one] of given.entries()) {
          const workflow = await getWorkflow(client, namespace, await resolveName(client, namespace, one));
          if (index > 0 && flags.output === "yaml") world.out("---\n");
          printWorkflow(world, workflow, flags, shows);
        }
      });
    });
}

function nodeFilter({ status, nodeFieldSelector }: Flags): ReturnType<typeof parseNodeSelector> | undefined {
  if (status && nodeFieldSelector) throw badInput("cannot use both --status and --node-field-selector");
  const selector = status ? `phase=${status}` : nodeFieldSelector;
  return selector ? parseNodeSelector(selector) : undefined;
}

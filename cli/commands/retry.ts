/** `tiphys retry`: failed workflows go on where they failed. */
import { Command } from "commander";
import { formulateRetry, parseParameterValues } from "../../lib/workflow_actions/mod.ts";
import { addAwaitFlags, awaitEnd, type AwaitFlags } from "../await_end.ts";
import { carryOutRetry } from "../change_workflow.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../choose_workflows.ts";
import { badInput } from "../command_error.ts";
import { type GlobalFlags, lookOf, withCluster } from "../global_flags.ts";
import { type OutputForm, outputOption } from "../print_object.ts";
import { printWorkflow } from "../print_workflow.ts";
import { gather } from "../submit_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter, AwaitFlags {
  readonly restartSuccessful?: boolean;
  readonly nodeFieldSelector?: string;
  readonly parameter?: readonly string[];
  readonly output?: OutputForm;
}

/** Makes the command. */
export function retryCommand(world: World): Command {
  const command = addSelectorFlags(new Command("retry").argument("[workflows...]", "names; @latest is the newest"));
  return addAwaitFlags(command)
    .option("--restart-successful", "run the nodes that --node-field-selector means again, though they succeeded")
    .option("--node-field-selector <fields>", "the nodes with these fields: `displayName=build`")
    .option("-p, --parameter <name=value>", "another value for an argument; may be repeated", gather)
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((given: string[], _flags: unknown, self: Command) => retry(given, self.optsWithGlobals<Flags>(), world));
}

async function retry(given: readonly string[], flags: Flags, world: World): Promise<void> {
  const { restartSuccessful, nodeFieldSelector } = flags;
  if (restartSuccessful && !nodeFieldSelector) {
    throw badInput("Expected --node-field-selector beside --restart-successful: it says which nodes");
  }
  const parameters = parseParameterValues(flags.parameter ?? []);
  await withCluster(world, flags, async (connection) => {
    const { client, namespace } = connection;
    const names = await chooseNames(client, namespace, given, flags, world.now());
    for (const name of names) {
      const retried = await carryOutRetry(
        client,
        namespace,
        name,
        (workflow) => formulateRetry(workflow, { restartSuccessful, nodeFieldSelector, parameters }, world.now()),
      );
      printWorkflow(world, retried, flags);
    }
    await awaitEnd(names, flags, { ...connection, world, look: lookOf(flags, world) });
  });
}

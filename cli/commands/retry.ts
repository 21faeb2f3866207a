/** `tiphys retry`: retries failed workflows from the nodes that failed. */
import { Command } from "commander";
import { addAwaitFlags, awaitEndOfOne, type AwaitFlags } from "../await_end.ts";
import { addSelectorFlags, chooseNames, forEachName, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { badInput } from "../command_error.ts";
import { type GlobalFlags, lookOf, withCluster } from "../flags/global_flags.ts";
import { type OutputForm, outputOption } from "../view/print_object.ts";
import { warnOfUnknownToStarted } from "../input/submitted_documents.ts";
import { printWorkflow } from "../flags/print_workflow.ts";
import { collectValue, parameterFlags } from "../flags/submit_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter, AwaitFlags {
  readonly restartSuccessful?: boolean;
  readonly nodeFieldSelector?: string;
  readonly parameter?: readonly string[];
  readonly output?: OutputForm;
}

/** Creates the command `retry`. */
export function retryCommand(world: World): Command {
  const command = addSelectorFlags(new Command("retry").argument("[workflows...]", "names; @latest is the newest"));
  return addAwaitFlags(command)
    .option("--restart-successful", "also run successful nodes that match --node-field-selector")
    .option("--node-field-selector <fields>", "only failed nodes with these fields, such as `displayName=build`")
    .option("-p, --parameter <name=value>", "new value of a parameter; may be repeated", collectValue)
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((requestedNames: string[], _flags: unknown, self: Command) =>
      retry(requestedNames, self.optsWithGlobals<Flags>(), world)
    );
}

async function retry(requestedNames: readonly string[], flags: Flags, world: World): Promise<void> {
  const { restartSuccessful, nodeFieldSelector } = flags;
  if (restartSuccessful && !nodeFieldSelector) {
    throw badInput("--restart-successful requires --node-field-selector, which selects the nodes");
  }
  const parameters = parameterFlags(flags.parameter);
  await withCluster(world, flags, async (connection) => {
    const { service, namespace } = connection;
    const names = await chooseNames(connection, requestedNames, flags, world);
    await forEachName(names, async (name) => {
      if (parameters.size) warnOfUnknownToStarted(await service.get(namespace, name), parameters, world);
      const retried = await service.retry(namespace, name, { restartSuccessful, nodeFieldSelector, parameters });
      printWorkflow(world, retried, flags);
    });
    await awaitEndOfOne(names, flags, { ...connection, world, look: lookOf(flags, world) });
  });
}

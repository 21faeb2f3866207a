/** `tiphys resubmit`: creates a new workflow from an existing one. */
import { Command } from "commander";
import { addAwaitFlags, awaitEndOfOne, type AwaitFlags } from "../await_end.ts";
import { addSelectorFlags, chooseNames, forEachName, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { type GlobalFlags, lookOf, withCluster } from "../flags/global_flags.ts";
import { type OutputForm, outputOption } from "../view/print_object.ts";
import { warnOfUnknownToStarted } from "../input/submitted_documents.ts";
import { printWorkflow } from "../flags/print_workflow.ts";
import { collectValue, parameterFlags, readInteger } from "../flags/submit_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter, AwaitFlags {
  readonly memoized?: boolean;
  readonly priority?: string;
  readonly parameter?: readonly string[];
  readonly output?: OutputForm;
}

/** Creates the command `resubmit`. */
export function resubmitCommand(world: World): Command {
  const command = addSelectorFlags(new Command("resubmit").argument("[workflows...]", "names; @latest is the newest"));
  return addAwaitFlags(command)
    .option("--memoized", "reuse the nodes that succeeded")
    .option("--priority <number>", "priority of the new workflow")
    .option("-p, --parameter <name=value>", "new value of a parameter; may be repeated", collectValue)
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((requestedNames: string[], _flags: unknown, self: Command) =>
      resubmit(requestedNames, self.optsWithGlobals<Flags>(), world)
    );
}

async function resubmit(requestedNames: readonly string[], flags: Flags, world: World): Promise<void> {
  const parameters = parameterFlags(flags.parameter);
  const priority = flags.priority === undefined ? undefined : readInteger("--priority", flags.priority);
  await withCluster(world, flags, async (connection) => {
    const { service, namespace } = connection;
    const created: string[] = [];
    await forEachName(await chooseNames(connection, requestedNames, flags, world), async (name) => {
      if (parameters.size) warnOfUnknownToStarted(await service.get(namespace, name), parameters, world);
      const workflow = await service.resubmit(namespace, name, { memoized: flags.memoized, parameters, priority });
      printWorkflow(world, workflow, flags);
      created.push(workflow.metadata.name ?? "");
    });
    await awaitEndOfOne(created, flags, { ...connection, world, look: lookOf(flags, world) });
  });
}

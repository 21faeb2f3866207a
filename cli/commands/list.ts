/** `tiphys list`. */
import { Command } from "commander";
import type { Workflow } from "@tiphys/model/api";
import { listAll } from "@tiphys/service";
import { readInteger } from "../flags/submit_flags.ts";
import { addFilterFlags, queryOf, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { type GlobalFlags, lookOf, withCluster } from "../flags/global_flags.ts";
import { type OutputForm, outputOption, printObjects } from "../view/print_object.ts";
import { phaseSummary, workflowTable } from "../view/workflow_table.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly allNamespaces?: boolean;
  readonly headers: boolean;
  readonly chunkSize?: string;
  readonly output?: OutputForm;
}

/** Creates the command `list`. */
export function listCommand(world: World): Command {
  return addFilterFlags(new Command("list"))
    .option("-A, --all-namespaces", "workflows of all namespaces")
    .option("--running", "only workflows that have not finished")
    .option("--since <age>", "only workflows created within this time, such as `10m`, `3h` or `1d`")
    .option("--chunk-size <number>", "maximum number of workflows that each request returns")
    .option("--no-headers", "print no column titles")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ service, namespace }) => {
        const where = flags.allNamespaces ? undefined : namespace;
        const chunk = flags.chunkSize === undefined ? 0 : readInteger("--chunk-size", flags.chunkSize);
        const found = await listAll(service, where, queryOf(flags, world.now()), chunk > 0 ? chunk : undefined);
        print(found, flags, world);
      });
    });
}

function print(workflows: readonly Workflow[], flags: Flags, world: World): void {
  if (workflows.length === 0 && flags.output !== "json" && flags.output !== "yaml") {
    return world.out("No workflows found\n");
  }
  if (printObjects(world, workflows, flags.output)) return;
  const columns = {
    withHeaders: flags.headers,
    withNamespace: flags.allNamespaces,
    isWide: flags.output === "wide",
  };
  const size = world.terminal();
  const screen = size && { look: lookOf(flags, world), width: size.columns };
  world.out(workflowTable(workflows, columns, world.now(), screen));
  if (screen && flags.headers) world.out(`\n${phaseSummary(workflows)}\n`);
}

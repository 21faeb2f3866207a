/** `tiphys get`. */
import { Command } from "commander";
import type { Workflow } from "@tiphys/model/api";
import { resolveName, type WorkflowService } from "@tiphys/service";
import { withCluster } from "../flags/global_flags.ts";
import { addNodeFilterFlags, nodeFilter, type NodeFilterFlags } from "../flags/node_filter.ts";
import { isFailure } from "@tiphys/model/status";
import { failureAdvice } from "../view/failure_report.ts";
import { reasonTable } from "../view/reason_table.ts";
import { outputOption } from "../view/print_object.ts";
import { type PrintFlags, printWorkflow } from "../flags/print_workflow.ts";
import type { World } from "../world.ts";

interface Flags extends PrintFlags, NodeFilterFlags {}

/** Creates the command `get`. */
export function getCommand(world: World): Command {
  const command = new Command("get").argument("<workflows...>", "names; @latest is the newest");
  return addNodeFilterFlags(command.addOption(outputOption("name", "json", "yaml", "short", "wide")))
    .action((requestedNames: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const shows = nodeFilter(flags);
      return withCluster(world, flags, async ({ service, namespace }) => {
        for (const [index, name] of requestedNames.entries()) {
          const workflow = await service.get(namespace, await resolveName(service, namespace, name));
          if (index > 0 && flags.output === "yaml") world.out("---\n");
          printWorkflow(world, workflow, flags, shows);
          if (flags.output === "wide") await printReasons(world, service, namespace, workflow);
          if (flags.output === undefined || flags.output === "wide") {
            await printFailure(world, service, workflow, flags);
          }
        }
      });
    });
}

/** Prints the reason for a failure to the standard error, because scripts parse the standard output. */
async function printFailure(world: World, service: WorkflowService, workflow: Workflow, flags: Flags): Promise<void> {
  if (!isFailure(workflow.status?.phase)) return;
  world.err(`\n${(await failureAdvice(service, workflow, flags)).join("\n")}\n`);
}

/** Prints the reasons why the workflow waits, below its tree. */
async function printReasons(
  world: World,
  service: WorkflowService,
  namespace: string,
  { metadata: { name = "" } }: Workflow,
): Promise<void> {
  const lines = reasonTable(await service.why(namespace, name), { workflowName: name, now: world.now() });
  if (lines.length) world.out(`\n${lines.map((line) => `${line}\n`).join("")}`);
}

/**
 * `tiphys stop`: stops workflows and runs their exit handlers. With a node selector, it fails suspended nodes instead.
 */
import { Command } from "commander";
import type { Workflow } from "@tiphys/model/api";
import { hasFinished } from "@tiphys/model/status";
import { setNodes } from "@tiphys/engine/workflow_actions";
import { refuseShutdownOfCompleted } from "@tiphys/service";
import { actOnWorkflows } from "../flags/act_on_workflows.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly nodeFieldSelector?: string;
  readonly message?: string;
  readonly dryRun?: boolean;
}

/** Creates the command `stop`. */
export function stopCommand(world: World): Command {
  return addSelectorFlags(new Command("stop").argument("[workflows...]", "names; @latest is the newest"))
    .option(
      "--node-field-selector <fields>",
      "fail the suspended nodes with these fields instead of stopping the workflow",
    )
    .option("--message <text>", "message of these nodes")
    .option("--dry-run", "print the workflows without stopping them")
    .action((requestedNames: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const { nodeFieldSelector, message, dryRun } = flags;
      return withCluster(world, flags, async (connection) => {
        const { service, namespace } = connection;
        const tryToStop = (workflow: Workflow) => {
          if (nodeFieldSelector) setNodes(workflow, nodeFieldSelector, { phase: "Failed", message }, world.now());
          else refuseShutdownOfCompleted(workflow.status?.phase, namespace, workflow.metadata.name ?? "");
        };
        await actOnWorkflows(connection, await chooseNames(connection, requestedNames, flags, world), {
          done: "stopped",
          whyIdle: (workflow) => nodeFieldSelector || hasFinished(workflow) ? undefined : whyNotStopped(workflow),
          act: (name) => service.stop(namespace, name, { nodeFieldSelector, message }),
          tryOut: dryRun ? tryToStop : undefined,
        }, world);
      });
    });
}

function whyNotStopped({ spec: { shutdown } }: Workflow): string | undefined {
  if (!shutdown) return undefined;
  return shutdown === "Terminate" ? "it is being terminated already" : "it is being stopped already";
}

/** `tiphys terminate`: ends workflows immediately, without exit handlers. */
import { Command } from "commander";
import { hasFinished } from "@tiphys/model/status";
import { refuseShutdownOfCompleted } from "@tiphys/service";
import { actOnWorkflows } from "../flags/act_on_workflows.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly dryRun?: boolean;
}

/** Creates the command `terminate`. */
export function terminateCommand(world: World): Command {
  return addSelectorFlags(new Command("terminate").argument("[workflows...]", "names; @latest is the newest"))
    .option("--dry-run", "print the workflows without terminating them")
    .action((requestedNames: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async (connection) => {
        const { service, namespace } = connection;
        await actOnWorkflows(connection, await chooseNames(connection, requestedNames, flags, world), {
          done: "terminated",
          whyIdle: (workflow) =>
            workflow.spec.shutdown === "Terminate" && !hasFinished(workflow)
              ? "it is being terminated already"
              : undefined,
          act: (name) => service.terminate(namespace, name),
          tryOut: flags.dryRun
            ? ({ status, metadata }) => refuseShutdownOfCompleted(status?.phase, namespace, metadata.name ?? "")
            : undefined,
        }, world);
      });
    });
}

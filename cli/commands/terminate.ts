/** `tiphys terminate`: workflows end at once, without exit handlers. */
import { Command } from "commander";
import { shutDown } from "../change_workflow.ts";
import { addSelectorFlags, chooseNames, type WorkflowFilter } from "../choose_workflows.ts";
import { type GlobalFlags, withCluster } from "../global_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly dryRun?: boolean;
}

/** Makes the command. */
export function terminateCommand(world: World): Command {
  return addSelectorFlags(new Command("terminate").argument("[workflows...]", "names; @latest is the newest"))
    .option("--dry-run", "only say which workflows would be terminated")
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ client, namespace }) => {
        for (const name of await chooseNames(client, namespace, given, flags, world.now())) {
          if (!flags.dryRun) await shutDown(client, namespace, name, "Terminate");
          world.out(`workflow ${name} terminated${flags.dryRun ? " (dry-run)" : ""}\n`);
        }
      });
    });
}

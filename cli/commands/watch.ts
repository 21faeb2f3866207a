/** `tiphys watch`. */
import { Command } from "commander";
import { watchWorkflow } from "../await_end.ts";
import { resolveName } from "@tiphys/service";
import { type GlobalFlags, lookOf, withCluster } from "../flags/global_flags.ts";
import { addNodeFilterFlags, nodeFilter, type NodeFilterFlags } from "../flags/node_filter.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, NodeFilterFlags {}

/** Creates the command `watch`. */
export function watchCommand(world: World): Command {
  return addNodeFilterFlags(new Command("watch").argument("<workflow>", "name; @latest is the newest"))
    .action((requestedName: string, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const shows = nodeFilter(flags);
      return withCluster(world, flags, async (connection) => {
        const name = await resolveName(connection.service, connection.namespace, requestedName);
        await watchWorkflow(name, { ...connection, world, look: lookOf(flags, world), shows });
      });
    });
}

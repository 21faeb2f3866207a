/** Nodes that lie in the controller's database, as the server reaches them. */
import { type NodesElsewhere, UnreadableNodesError } from "@tiphys/model/nodes";
import type { Served } from "../served.ts";

/**
 * The table of nodes that workflows have no room for. Reading throws an {@link UnreadableNodesError} where no database is
 * set up, and a `WireError` where it cannot be asked. Nodes are stored there only where the controller looks for them.
 */
export function offloadedNodes({ archive, offloaded }: Pick<Served, "archive" | "offloaded">): NodesElsewhere {
  if (offloaded) return offloaded;
  if (archive) {
    return {
      load: (row) => archive.ask(({ nodes }) => nodes.load(row)),
      async save(row, json, now) {
        if (!archive.takesNodes) return false;
        await archive.ask(({ nodes }) => nodes.save(row, json, now));
        return true;
      },
    };
  }
  const why =
    "Workflow has offloaded nodes, but offloading has been disabled: `persistence` of this server's settings names none";
  return { load: () => Promise.reject(new UnreadableNodesError(why)), save: () => Promise.resolve(false) };
}

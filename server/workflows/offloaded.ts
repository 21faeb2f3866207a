/** The server's access to nodes that are offloaded to the controller's database. */
import { type OffloadedNodes, UnreadableNodesError } from "@tiphys/model/nodes";
import type { ServerContext } from "../served.ts";

/**
 * Returns the store of offloaded nodes. Loading throws an {@link UnreadableNodesError} if no database is configured,
 * and a `WireError` if the database cannot be reached. `save` stores nodes only if the controller offloads to the same
 * database.
 */
export function offloadedNodes({ archive, offloaded }: Pick<ServerContext, "archive" | "offloaded">): OffloadedNodes {
  if (offloaded) return offloaded;
  if (archive) {
    return {
      load: (row) => archive.query(({ nodes }) => nodes.load(row)),
      async save(row, json, now) {
        if (!archive.takesNodes) return false;
        await archive.query(({ nodes }) => nodes.save(row, json, now));
        return true;
      },
    };
  }
  const why =
    "Workflow has offloaded nodes, but offloading has been disabled: `persistence` of this server's settings configures no database";
  return { load: () => Promise.reject(new UnreadableNodesError(why)), save: () => Promise.resolve(false) };
}

/** Restores the nodes of large workflows, which are stored compressed in the status. */
import type { Workflow } from "../api/mod.ts";
import { LIMITS } from "@tiphys/base/limits";
import { unpackNodes, UnreadableNodesError } from "./unpack.ts";

/** No limit on the number of nodes: the limit of the controller that created them is unknown here. */
export const ANY_NUMBER = Infinity;

/**
 * Returns the workflow with its nodes in `status.nodes`. Accepts as many nodes as a controller with the limit `nodes`
 * may create, and never fewer than the default limit, so that lowering the limit keeps workflows readable. Bytes and
 * values are always limited.
 * @throws {UnreadableNodesError} when the nodes cannot be decompressed, exceed a limit, or are in a database, which
 * only a server reads.
 */
export async function hydrate(workflow: Workflow, nodes: number = LIMITS.nodes): Promise<Workflow> {
  const { compressedNodes, offloadNodeStatusVersion, ...status } = workflow.status ?? {};
  if (offloadNodeStatusVersion) {
    const { name } = workflow.metadata;
    throw new UnreadableNodesError(
      `The nodes of workflow ${
        JSON.stringify(name)
      } are kept in a database, which only a server reads: name one with ` +
        "--argo-server or ARGO_SERVER",
    );
  }
  if (!compressedNodes) return workflow;
  const unpacked = await unpackNodes(compressedNodes, { nodes: Math.max(nodes, LIMITS.nodes) });
  return { ...workflow, status: { ...status, nodes: unpacked } };
}

/** The nodes of a large workflow are kept compressed in its status. */
import type { Workflow } from "../api/mod.ts";
import { LIMITS } from "@tiphys/base/limits";
import { unpackNodes, UnreadableNodesError } from "./unpack.ts";

/** No limit on nodes: the controller that made them had a setting that is not known here. */
export const ANY_NUMBER = Infinity;

/**
 * The workflow with its nodes at their usual place: as many as a controller that is set up for `nodes` may have made, and
 * never fewer than the usual limit, so that a lower setting makes none unreadable. Bytes and values are bounded in any case.
 * @throws {UnreadableNodesError} when they cannot be unpacked, are too much, or are kept in a database, which only a
 * server reads.
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

/** Nodes that lie in the controller's database: put back before a workflow is shown. */
import type { Workflow } from "../../lib/api/mod.ts";
import { fieldsOf } from "../../lib/fields_of.ts";
import { ANY_NUMBER, compressNodes, hydrate, UnreadableNodesError } from "../../lib/nodes/mod.ts";
import type { Served } from "../served.ts";

/**
 * The workflow with all its nodes, wherever they lie.
 * @throws {UnreadableNodesError} when they cannot be had.
 * @throws {WireError} when the database cannot be asked.
 */
export async function wholeWorkflow({ archive }: Pick<Served, "archive">, workflow: Workflow): Promise<Workflow> {
  const { offloadNodeStatusVersion: version, ...status } = workflow.status ?? {};
  if (!version || !archive) return await hydrate(workflow, ANY_NUMBER);
  const uid = workflow.metadata.uid ?? "";
  const nodes = await archive.ask(({ nodes }) => nodes.load({ uid, version }));
  if (nodes === undefined) throw new UnreadableNodesError(`offloaded nodes of version ${version} are missing`);
  // The nodes are read in the same way as all that somebody else wrote.
  const compressedNodes = await compressNodes(fieldsOf(nodes) as Parameters<typeof compressNodes>[0]);
  return await hydrate({ ...workflow, status: { ...status, compressedNodes } }, ANY_NUMBER);
}

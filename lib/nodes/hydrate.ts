/** The nodes of a large workflow are kept compressed in its status. */
import type { NodeStatus, Workflow } from "../api/mod.ts";

/** The workflow with its nodes at their usual place. Throws when they are kept in a database, which only a server reads. */
export async function hydrate(workflow: Workflow): Promise<Workflow> {
  const { compressedNodes, offloadNodeStatusVersion, ...status } = workflow.status ?? {};
  if (offloadNodeStatusVersion) {
    const { name } = workflow.metadata;
    throw new Error(`The nodes of workflow "${name}" are kept in a database, which only a server reads`);
  }
  if (!compressedNodes) return workflow;
  const compressed = new Blob([Uint8Array.fromBase64(compressedNodes)]).stream();
  const text = await new Response(compressed.pipeThrough(new DecompressionStream("gzip"))).text();
  return { ...workflow, status: { ...status, nodes: JSON.parse(text) as Record<string, NodeStatus> } };
}

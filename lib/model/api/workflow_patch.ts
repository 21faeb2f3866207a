/**
 * Patches between two states of a workflow, so that a client with the first one receives the second without its full
 * size.
 */
import type { NodeStatus, Workflow } from "./mod.ts";

/** The version of the patch format, which clients send to request patches. */
export const PATCHES = "1";

/** The difference between two states of a workflow, in its wire format. */
export interface WorkflowPatch {
  /** The version of the previous state. The patch applies to no other one. */
  readonly from: string;
  /**
   * The whole metadata, the specification if it changed, and the changed fields of the status. Of its nodes, only new
   * and changed ones are included; new ones come after the others.
   */
  readonly object: Pick<Workflow, "metadata"> & Partial<Pick<Workflow, "spec" | "status">>;
  /** Removed fields of the status. */
  readonly goneFields: readonly string[];
  /** IDs of removed nodes. */
  readonly goneNodes: readonly string[];
  /** Whether nodes are sorted by ID, as Kubernetes stores them. Otherwise new ones come after the others. */
  readonly isSorted: boolean;
}

/** Applies a patch; undefined if it is for another state. Unchanged parts are shared. */
export function patchedWorkflow(before: Workflow, patch: WorkflowPatch): Workflow | undefined {
  const { from, object: { metadata, spec = before.spec, status }, goneFields, goneNodes, isSorted } = patch;
  if (before.metadata.uid !== metadata.uid || before.metadata.resourceVersion !== from) return undefined;
  const after: Record<string, unknown> = { ...before.status, ...status };
  for (const field of goneFields) delete after[field];
  if (status?.nodes || goneNodes.length > 0 || isSorted) {
    after.nodes = nodesAfter(before.status?.nodes ?? {}, status?.nodes ?? {}, goneNodes, isSorted);
  }
  return { ...before, metadata, spec, status: after };
}

type Nodes = Readonly<Record<string, NodeStatus>>;

/** The nodes after a patch, in order. */
export function nodesAfter(before: Nodes, changed: Nodes, gone: readonly string[], isSorted: boolean): Nodes {
  const nodes = { ...before, ...changed };
  for (const id of gone) delete nodes[id];
  return isSorted ? Object.fromEntries(Object.keys(nodes).sort().map((id) => [id, nodes[id]!])) : nodes;
}

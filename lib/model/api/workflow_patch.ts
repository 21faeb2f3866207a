/** Patches of workflows: what changed between two states of one, so that who has the first gets the second without its size. */
import type { NodeStatus, Workflow } from "./mod.ts";

/** The version of patches, as who wants them in place of whole workflows says it. */
export const PATCHES = "1";

/** The difference of two states of a workflow, as it is on the wire. */
export interface WorkflowPatch {
  /** The version of the state before it: of no other it gives the one after it. */
  readonly from: string;
  /**
   * The metadata as they are, the specification where it changed, the fields of the status that changed, and of its nodes
   * those that are new or changed; new ones come after the others.
   */
  readonly object: Pick<Workflow, "metadata"> & Partial<Pick<Workflow, "spec" | "status">>;
  /** Fields of the status that are no more. */
  readonly goneFields: readonly string[];
  /** Nodes that are no more, by their ids. */
  readonly goneNodes: readonly string[];
  /** Whether nodes are in the order of their ids, as Kubernetes keeps them, in place of new ones after the others. */
  readonly isSorted: boolean;
}

/** The state after a patch of the state before it; undefined where it is the patch of another one. What did not change is the same. */
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

/** The nodes after a patch, in their order. */
export function nodesAfter(before: Nodes, changed: Nodes, gone: readonly string[], isSorted: boolean): Nodes {
  const nodes = { ...before, ...changed };
  for (const id of gone) delete nodes[id];
  return isSorted ? Object.fromEntries(Object.keys(nodes).sort().map((id) => [id, nodes[id]!])) : nodes;
}

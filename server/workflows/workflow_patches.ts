/**
 * Patches for clients that follow one workflow: the JSON of a workflow with 10,000 nodes takes megabytes, and most
 * changes affect one node.
 */
import type { Workflow } from "@tiphys/model/api";
import { nodesAfter, type WorkflowPatch } from "@tiphys/model/api/workflow_patch";
import { sameJson } from "@tiphys/kube/patch";

/** The patch to a state, and the state that it starts from. */
interface CachedPatch {
  readonly before: Workflow;
  readonly patch: WorkflowPatch | undefined;
}

/** Patches by the state they lead to: all clients that follow a workflow receive the same patch. */
const cached = new WeakMap<Workflow, CachedPatch>();

/** The patch from one state of a workflow to another. Undefined if sending the whole workflow is simpler. */
export function patchBetween(before: Workflow, after: Workflow): WorkflowPatch | undefined {
  const known = cached.get(after);
  if (known?.before === before) return known.patch;
  const patch = makePatch(before, after);
  cached.set(after, { before, patch });
  return patch;
}

function makePatch(before: Workflow, after: Workflow): WorkflowPatch | undefined {
  const from = before.metadata.resourceVersion;
  if (!from || before.metadata.uid !== after.metadata.uid) return undefined;
  const { metadata: _was, spec: specBefore, status: { nodes: nodesBefore = {}, ...was } = {}, ...restBefore } = before;
  const { metadata, spec, status: { nodes = {}, ...is } = {}, ...rest } = after;
  if (!sameJson(restBefore, rest)) return undefined;
  const status = changedFields(was, is);
  const changed = changedFields(nodesBefore, nodes);
  const ids = Object.keys(nodes);
  const changedCount = Object.keys(changed).length;
  if (changedCount > ids.length / 2) return undefined;
  const goneNodes = Object.keys(nodesBefore).filter((id) => !Object.hasOwn(nodes, id));
  if (goneNodes.length > ids.length / 2) return undefined;
  const isSorted = !hasSameOrder(Object.keys(nodesAfter(nodesBefore, changed, goneNodes, false)), ids);
  if (isSorted && !hasSameOrder(ids.toSorted(), ids)) return undefined;
  return {
    from,
    object: {
      metadata,
      ...(sameJson(specBefore, spec) ? {} : { spec }),
      status: { ...status, ...(changedCount > 0 ? { nodes: changed } : {}) },
    },
    goneFields: Object.entries(was).flatMap(([field, value]) =>
      value === undefined || (is as Readonly<Record<string, unknown>>)[field] !== undefined ? [] : [field]
    ),
    goneNodes,
    isSorted,
  };
}

/** The fields that are new or changed. */
function changedFields<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => {
      // Undefined fields are not in the JSON that is sent.
      if (value === undefined) return false;
      return !Object.hasOwn(before, name) || !sameJson(before[name], value);
    }),
  );
}

function hasSameOrder(ids: readonly string[], order: readonly string[]): boolean {
  return ids.length === order.length && ids.every((id, index) => id === order[index]);
}

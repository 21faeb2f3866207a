/** Patches of workflows for who follows one of them: a workflow of ten thousand nodes is megabytes, and a change of it one node. */
import type { Workflow } from "@tiphys/model/api";
import { nodesAfter, type WorkflowPatch } from "@tiphys/model/api/workflow_patch";
import { sameJson } from "@tiphys/kube";

/** The patch to a state that was told, and the state before it. */
interface Made {
  readonly before: Workflow;
  readonly patch: WorkflowPatch | undefined;
}

/** Kept as long as the state: all who follow a workflow are told the same. */
const made = new WeakMap<Workflow, Made>();

/** The patch that leads from one state of a workflow to another; undefined where the whole says it as shortly. */
export function patchBetween(before: Workflow, after: Workflow): WorkflowPatch | undefined {
  const known = made.get(after);
  if (known?.before === before) return known.patch;
  const patch = makePatch(before, after);
  made.set(after, { before, patch });
  return patch;
}

function makePatch(before: Workflow, after: Workflow): WorkflowPatch | undefined {
  const from = before.metadata.resourceVersion;
  if (!from || before.metadata.uid !== after.metadata.uid) return undefined;
  const { metadata: _was, spec: specBefore, status: { nodes: told = {}, ...was } = {}, ...restBefore } = before;
  const { metadata, spec, status: { nodes = {}, ...is } = {}, ...rest } = after;
  if (!sameJson(restBefore, rest)) return undefined;
  const status = changedFields(was, is);
  const changed = changedFields(told, nodes);
  const ids = Object.keys(nodes);
  const changedCount = Object.keys(changed).length;
  if (changedCount > ids.length / 2) return undefined;
  const goneNodes = Object.keys(told).filter((id) => !Object.hasOwn(nodes, id));
  if (goneNodes.length > ids.length / 2) return undefined;
  const isSorted = !isInOrder(Object.keys(nodesAfter(told, changed, goneNodes, false)), ids);
  if (isSorted && !isInOrder(ids.toSorted(), ids)) return undefined;
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

/** The fields that are new or others than before. */
function changedFields<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => {
      // What is undefined is not on the wire.
      if (value === undefined) return false;
      return !Object.hasOwn(before, name) || !sameJson(before[name], value);
    }),
  );
}

function isInOrder(ids: readonly string[], wanted: readonly string[]): boolean {
  return ids.length === wanted.length && ids.every((id, at) => id === wanted[at]);
}

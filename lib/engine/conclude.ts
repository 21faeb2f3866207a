/**
 * Converts the draft of a pass to a decision. Expensive parts (the sums of progress, the copy of all nodes) are
 * computed when they are first read, as most passes over a large workflow are not written.
 */
import type { Workflow } from "@tiphys/model/api";
import { recordLocks } from "./locks/lock_status.ts";
import { saveMemos } from "./memo/save.ts";
import { emitMetrics, realtimeGauges } from "./metrics/emit_metrics.ts";
import { emitNodeEvents } from "./nodes/node_events.ts";
import { type NodesSnapshot, NodeTable } from "./nodes/node_table.ts";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "./slice.ts";
import type { Change, Decision } from "./types.ts";
import { sumProgress, updateProgress } from "./workflow/progress.ts";
import { ProgressSums } from "./workflow/progress_sums.ts";

/** Concludes a pass. `isActive` is false if the workflow was completed before it. */
export function conclude(
  pass: Slice<NodesDraft & RequestsDraft & StatusDraft>,
  { isAtWork: isActive }: { readonly isAtWork: boolean },
): Decision {
  const { facts: { before }, draft } = pass;
  if (isActive) {
    emitMetrics(pass, before.status?.phase);
    saveMemos(pass);
  }
  const locks = recordLocks(pass);
  const gauges = isActive ? realtimeGauges(pass) : [];
  emitNodeEvents(pass, before.status?.nodes ?? {});
  // The sums of progress change only with nodes. Without a change, they are computed only if they are missing.
  if (isActive && draft.nodes.changed.size === 0) updateProgress(pass);
  const nodes = draft.nodes.snapshot();
  const { workflow: head } = draft;
  let change: Change | undefined;
  let workflow: Workflow | undefined;
  const computeChange = () => change ??= isActive ? changeWithProgress(pass, head, nodes) : { head, nodes };
  return {
    hasChanges: nodes.changed.size > 0 || head !== before,
    phase: head.status?.phase,
    isNodeChanged: (nodeId) => nodes.changed.has(nodeId),
    get workflow() {
      return workflow ??= workflowWithNodes(computeChange());
    },
    get change() {
      return computeChange();
    },
    actions: draft.actions,
    ...(locks && { locks }),
    ...(gauges.length > 0 && { gauges }),
    requeueAt: draft.requeueAt,
    isPartial: pass.currentEvaluation.isPartial,
    logLines: draft.logLines,
  };
}

/** Applies a change: returns the workflow with all of its nodes. */
function workflowWithNodes({ head, nodes }: Change): Workflow {
  return nodes.changed.size === 0 ? head : { ...head, status: { ...head.status, nodes: nodes.record() } };
}

function changeWithProgress(pass: Slice<NodesDraft & StatusDraft>, head: Workflow, nodes: NodesSnapshot): Change {
  if (nodes.changed.size === 0) return { head, nodes };
  if (nodes.isCurrent()) {
    updateProgress(pass);
    return { head: pass.draft.workflow, nodes: pass.draft.nodes.snapshot() };
  }
  // A later pass has changed the shared table, so the nodes of this pass are copied to a separate table.
  const table = new NodeTable(pass.name, nodes.record());
  const draft = { nodes: table, update: table.update.bind(table) };
  const fields = sumProgress(draft, new ProgressSums(), head.status);
  const after = table.snapshot();
  const changed = new Map([...nodes.changed, ...after.changed]);
  return { head: { ...head, status: { ...head.status, ...fields } }, nodes: { ...after, changed } };
}

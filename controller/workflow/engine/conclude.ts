/**
 * The end of a pass: its draft as a decision. What is costly of it (the sums of progress, the copy of all nodes) is made
 * when it is first read: most passes over a large workflow are not written.
 */
import type { Workflow } from "../../../lib/api/mod.ts";
import { recordLocks } from "./locks/lock_status.ts";
import { saveMemos } from "./memo/save.ts";
import { emitMetrics, realtimeGauges } from "./metrics/emit_metrics.ts";
import { announceNodes } from "./nodes/node_events.ts";
import { type NodesAfter, NodeTable } from "./nodes/node_table.ts";
import type { Pass } from "./pass.ts";
import type { Decision } from "./types.ts";
import { sumProgress, updateProgress } from "./whole/progress.ts";
import { ProgressSums } from "./whole/progress_sums.ts";

/** Concludes a pass; `isAtWork` unless the workflow was over before it. */
export function conclude(pass: Pass, { isAtWork }: { readonly isAtWork: boolean }): Decision {
  const { facts: { before }, draft } = pass;
  if (isAtWork) {
    emitMetrics(pass, before.status?.phase);
    saveMemos(pass);
  }
  const locks = recordLocks(pass);
  const gauges = isAtWork ? realtimeGauges(pass) : [];
  announceNodes(pass, before.status?.nodes ?? {});
  // The sums of progress change with nodes only; without a change they are made where they never were.
  if (isAtWork && draft.nodes.changed.size === 0) updateProgress(pass);
  const nodes = draft.nodes.after();
  const { workflow: head } = draft;
  let written: Written | undefined;
  const whole = () => written ??= isAtWork ? withProgress(pass, head, nodes) : withNodes(head, nodes);
  return {
    isChange: nodes.touched.size > 0 || head !== before,
    phase: head.status?.phase,
    isTouched: (nodeId) => nodes.touched.has(nodeId),
    get workflow() {
      return whole().workflow;
    },
    get touched() {
      return whole().touched;
    },
    actions: draft.actions,
    ...(locks && { locks }),
    ...(gauges.length > 0 && { gauges }),
    requeueAt: draft.requeueAt,
    isPart: pass.currentLook.isPart,
    notes: draft.notes,
  };
}

/** The part of a decision that is written. */
type Written = Pick<Decision, "workflow" | "touched">;

function withNodes(head: Workflow, { touched, record }: NodesAfter): Written {
  if (touched.size === 0) return { workflow: head, touched };
  return { workflow: { ...head, status: { ...head.status, nodes: record() } }, touched };
}

function withProgress(pass: Pass, head: Workflow, nodes: NodesAfter): Written {
  if (nodes.touched.size === 0) return withNodes(head, nodes);
  if (nodes.isNow()) {
    updateProgress(pass);
    return withNodes(pass.draft.workflow, pass.draft.nodes.after());
  }
  // The table went on with another pass: the nodes of this one are put into a table of their own.
  const table = new NodeTable(pass.name, nodes.record());
  const draft = { nodes: table, update: table.update.bind(table) };
  const fields = sumProgress(draft, new ProgressSums(), head.status);
  const { touched, record } = table.after();
  const status = { ...head.status, ...fields, nodes: record() };
  return { workflow: { ...head, status }, touched: nodes.touched.union(touched) };
}

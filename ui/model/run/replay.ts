/** The past state of a run at a moment, derived from the start and end of each node. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

/** Returns the run at a moment: without nodes that started later, and with those running that ended later. */
export function runAt(run: Workflow, moment: number): Workflow {
  const { status } = run;
  if (!status) return run;
  const nodes: Record<string, NodeStatus> = {};
  for (const [id, node] of Object.entries(status.nodes ?? {})) {
    const began = Date.parse(node.startedAt ?? "");
    // A node that never ran, such as a skipped step, has the time at which it was skipped.
    if (began <= moment) nodes[id] = nodeAt(node, moment);
  }
  for (const [id, node] of Object.entries(nodes)) {
    const { children } = node;
    if (children?.some((child) => !nodes[child])) {
      nodes[id] = { ...node, children: children.filter((child) => nodes[child]) };
    }
  }
  const isOver = Date.parse(status.finishedAt ?? "") <= moment;
  const { finishedAt: _end, message: _message, progress: _progress, ...rest } = status;
  return { ...run, status: isOver ? { ...status, nodes } : { ...rest, phase: "Running", nodes } };
}

function nodeAt(node: NodeStatus, moment: number): NodeStatus {
  if (!node.finishedAt || Date.parse(node.finishedAt) <= moment) return node;
  const { finishedAt: _finished, outputs: _outputs, message: _message, ...rest } = node;
  return { ...rest, phase: "Running" };
}

/** Returns the first and the last moment of a run; undefined if it has not started. */
export function momentsOf(
  { status }: Workflow,
  now: number,
): { readonly from: number; readonly to: number } | undefined {
  const from = Date.parse(status?.startedAt ?? "");
  if (Number.isNaN(from)) return undefined;
  const end = Date.parse(status?.finishedAt ?? "");
  return { from, to: Math.max(from, Number.isNaN(end) ? now : end) };
}

/** Parses a moment from an address; returns undefined for an invalid one. */
export function readMoment(text: string | undefined): number | undefined {
  const moment = Date.parse(text ?? "");
  return Number.isNaN(moment) ? undefined : moment;
}

/** A run as it was at a moment, from what its status says of when each node began and ended. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

/** The run at a moment: later nodes are not there, and what ended later still runs. */
export function runAt(run: Workflow, moment: number): Workflow {
  const { status } = run;
  if (!status) return run;
  const nodes: Record<string, NodeStatus> = {};
  for (const [id, node] of Object.entries(status.nodes ?? {})) {
    const began = Date.parse(node.startedAt ?? "");
    // What was never begun, as a step that was skipped, is told by the time at which that was decided.
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

/** The first and the last moment of a run; undefined where it has not begun. */
export function momentsOf(
  { status }: Workflow,
  now: number,
): { readonly from: number; readonly to: number } | undefined {
  const from = Date.parse(status?.startedAt ?? "");
  if (Number.isNaN(from)) return undefined;
  const end = Date.parse(status?.finishedAt ?? "");
  return { from, to: Math.max(from, Number.isNaN(end) ? now : end) };
}

/** A moment in an address; undefined for what is none. */
export function readMoment(text: string | undefined): number | undefined {
  const moment = Date.parse(text ?? "");
  return Number.isNaN(moment) ? undefined : moment;
}

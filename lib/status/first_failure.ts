/** The node with which the failure of a workflow began. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { isFailure } from "./phase.ts";

/**
 * The node where it began: the earliest failed one that did not fail because of another. An attempt after which another one
 * succeeded is no failure.
 */
export function firstFailure(workflow: Workflow): NodeStatus | undefined {
  const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
  const gotOver = new Set(
    nodes.flatMap(({ type, phase, children = [], memoizationStatus }) =>
      type === "Retry" && !isFailure(phase) && !memoizationStatus?.hit ? children : []
    ),
  );
  const failed = nodes.filter(({ id, phase }) => isFailure(phase) && !gotOver.has(id));
  const causes = failed.filter(({ type }) => ["Pod", "Suspend", "HTTP", "Plugin"].includes(type));
  const end = ({ finishedAt }: NodeStatus) => finishedAt ? Date.parse(finishedAt) : Infinity;
  return (causes.length ? causes : failed).toSorted((a, b) => end(a) - end(b) || (a.name < b.name ? -1 : 1))[0];
}

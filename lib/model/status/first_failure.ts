/** The node that first failed in a workflow. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { isFailure } from "./phase.ts";
import { hasRole } from "./node_role.ts";

/**
 * Returns the earliest failed node that did not fail because of another one. An attempt before a successful one is not
 * a failure.
 */
export function firstFailure(workflow: Workflow): NodeStatus | undefined {
  const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
  const gotOver = new Set(
    nodes.flatMap(({ type, phase, children = [], memoizationStatus }) =>
      type === "Retry" && !isFailure(phase) && !memoizationStatus?.hit ? children : []
    ),
  );
  const failed = nodes.filter(({ id, phase }) => isFailure(phase) && !gotOver.has(id));
  const causes = failed.filter((node) => hasRole(node, "pod", "agent", "controller"));
  const end = ({ finishedAt }: NodeStatus) => finishedAt ? Date.parse(finishedAt) : Infinity;
  return (causes.length ? causes : failed).toSorted((a, b) => end(a) - end(b) || (a.name < b.name ? -1 : 1))[0];
}

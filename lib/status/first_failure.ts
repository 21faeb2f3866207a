/** The node with which the failure of a workflow began. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { isFailure } from "./phase.ts";

/** The node where it began: the earliest failed one that did not fail because of another. */
export function firstFailure(workflow: Workflow): NodeStatus | undefined {
  const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
  const failed = nodes.filter(({ phase }) => isFailure(phase));
  const causes = failed.filter(({ type }) => ["Pod", "Suspend", "HTTP", "Plugin"].includes(type));
  const end = ({ finishedAt }: NodeStatus) => finishedAt ? Date.parse(finishedAt) : Infinity;
  return (causes.length ? causes : failed).toSorted((a, b) => end(a) - end(b) || (a.name < b.name ? -1 : 1))[0];
}

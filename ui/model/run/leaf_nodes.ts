/** The nodes of a run at which something ran, or would have: a node that is retried stands for its attempts. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

const LEAVES: ReadonlySet<string> = new Set(
  [
    "Pod",
    "Container",
    "Retry",
    "Suspend",
    "HTTP",
    "Plugin",
    "Skipped",
  ] satisfies NodeStatus["type"][],
);

/** The nodes, in the order of the status. */
export function leafNodes({ status }: Workflow): NodeStatus[] {
  return Object.values(status?.nodes ?? {}).filter(({ type, nodeFlag }) => LEAVES.has(type) && !nodeFlag?.retried);
}

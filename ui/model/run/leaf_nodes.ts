/** The nodes of a run that ran or would have run: attempts are represented by the retried node. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { nodeTypesOf } from "@tiphys/model/status";

const LEAVES = nodeTypesOf("pod", "member", "agent", "controller", "attempts", "skipped");

/** Returns these nodes in the order of the status. */
export function leafNodes({ status }: Workflow): NodeStatus[] {
  return Object.values(status?.nodes ?? {}).filter(({ type, nodeFlag }) => LEAVES.has(type) && !nodeFlag?.retried);
}

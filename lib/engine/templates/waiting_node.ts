/** The node of a call that may not start yet, by type. */
import type { NodeStatus } from "@tiphys/model/api";
import { addCallNode, type ReadyCall, retryStrategyOf } from "./call.ts";
import type { NodesDraft, Slice } from "../slice.ts";
import { addPodNode } from "./pod_node.ts";
import { prepareSuspendNode } from "./suspend.ts";
import { isPodType, TEMPLATE_TYPES } from "@tiphys/model/templates";

/** Adds the node in phase Pending. The call uses it when it starts. */
export function addWaitingNode(pass: Slice<NodesDraft>, call: ReadyCall): NodeStatus {
  if (retryStrategyOf(pass, call.template)) return addCallNode(pass, call, { type: "Retry", phase: "Pending" });
  if (isPodType(call.type)) return addPodNode(pass, call);
  if (call.type === "suspend") return prepareSuspendNode(pass, call, undefined);
  return addCallNode(pass, call, { type: TEMPLATE_TYPES[call.type].node, phase: "Pending" });
}

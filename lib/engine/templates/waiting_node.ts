/** The node of a call that may not start yet, as its type has it. */
import type { NodeStatus } from "@tiphys/model/api";
import { addNodeOfCall, type ReadyCall, retryStrategyOf } from "./call.ts";
import type { NodesDraft, Slice } from "../slice.ts";
import { addPodNode } from "./pod_node.ts";
import { beginSuspension } from "./suspend.ts";
import { isPodType, TEMPLATE_TYPES } from "@tiphys/model/templates";

/** Adds it, Pending; who runs the call later finds it there. */
export function addWaitingNode(pass: Slice<NodesDraft>, call: ReadyCall): NodeStatus {
  if (retryStrategyOf(pass, call.template)) return addNodeOfCall(pass, call, { type: "Retry", phase: "Pending" });
  if (isPodType(call.type)) return addPodNode(pass, call);
  if (call.type === "suspend") return beginSuspension(pass, call, undefined);
  return addNodeOfCall(pass, call, { type: TEMPLATE_TYPES[call.type].node, phase: "Pending" });
}

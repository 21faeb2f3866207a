/** The node of a call that may not start yet, as its type has it. */
import type { NodeStatus } from "@tiphys/model/api";
import { addNodeOfCall, type ReadyCall, retryStrategyOf } from "./call.ts";
import type { Pass } from "../pass.ts";
import { addPodNode } from "./pod_node.ts";
import { beginSuspension } from "./suspend.ts";

/** Adds it, Pending; who runs the call later finds it there. */
export function addWaitingNode(pass: Pass, call: ReadyCall): NodeStatus {
  if (retryStrategyOf(pass, call.template)) return addNodeOfCall(pass, call, { type: "Retry", phase: "Pending" });
  switch (call.type) {
    case "container":
    case "containerSet":
    case "script":
    case "resource":
    case "data":
      return addPodNode(pass, call);
    case "suspend":
      return beginSuspension(pass, call, undefined);
    case "steps":
      return addNodeOfCall(pass, call, { type: "Steps", phase: "Pending" });
    case "dag":
      return addNodeOfCall(pass, call, { type: "DAG", phase: "Pending" });
    case "http":
      return addNodeOfCall(pass, call, { type: "HTTP", phase: "Pending" });
    case "plugin":
      return addNodeOfCall(pass, call, { type: "Plugin", phase: "Pending" });
  }
}

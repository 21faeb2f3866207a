/** The end of a workflow that wants more than it may have: what is there is ended, nothing new begins. */
import { isOver } from "@tiphys/model/status";
import type { Draft } from "../draft.ts";
import type { Slice } from "../slice.ts";
import { podNameOfNode } from "../spec/pod_name.ts";
import { markWorkflow } from "./workflow_phase.ts";

/** Ends all nodes that are not over, with their pods, and the workflow. */
export function endAtLimit(pass: Slice<Draft>, message: string): void {
  pass.draft.makeNothing();
  for (const node of [...pass.draft.nodes.all()]) {
    if (isOver(node)) continue;
    if (pass.facts.pods.has(node.id)) {
      pass.draft.ask({ kind: "terminateContainers", podName: podNameOfNode(pass, node) });
    }
    pass.draft.update(pass.draft.markError(node.id, message).id, { daemoned: undefined });
  }
  markWorkflow(pass, "Error", message);
}

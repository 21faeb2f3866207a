/** The end of a workflow that exceeds a limit. */
import { isOver } from "@tiphys/model/status";
import type { Draft } from "../draft.ts";
import type { Slice } from "../slice.ts";
import { podNameOfNode } from "../spec/pod_name.ts";
import { markWorkflow } from "./workflow_phase.ts";

/** Fails the workflow and all nodes in progress, ends their pods, and starts nothing new. */
export function endAtLimit(pass: Slice<Draft>, message: string): void {
  pass.draft.cancelCreations();
  for (const node of [...pass.draft.nodes.all()]) {
    if (isOver(node)) continue;
    if (pass.facts.pods.has(node.id)) {
      pass.draft.request({ kind: "terminateContainers", podName: podNameOfNode(pass, node) });
    }
    pass.draft.update(pass.draft.markError(node.id, message).id, { daemoned: undefined });
  }
  markWorkflow(pass, "Error", message);
}

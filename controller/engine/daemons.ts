import type { Pass } from "./pass.ts";
import { podNameOfNode } from "./pod_name.ts";

/** Ends the daemons of a steps or DAG node that is over; with no ID, those of the workflow itself. */
export function endDaemons(pass: Pass, boundaryId: string | undefined): void {
  const nodes = boundaryId ? pass.nodes.withBoundary(boundaryId) : pass.nodes.all();
  for (const node of [...nodes]) {
    if (!node.daemoned || (!boundaryId && node.boundaryID)) continue;
    if (node.type === "Pod") {
      pass.actions.push({ kind: "terminateContainers", podName: podNameOfNode(pass, node) });
    }
    const ended = pass.mark(node.id, "Succeeded");
    pass.nodes.update(ended.id, { daemoned: undefined });
  }
}

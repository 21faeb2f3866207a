/** The end that comes from outside: Stop, Terminate, the workflow's deadline (spec/pods 6.5, features H-19). */
import type { NodeStatus } from "../../lib/api/mod.ts";
import { LABEL } from "../../lib/constants.ts";
import { isActiveSuspend, isCompleted, isFulfilled, isOver } from "./node_state.ts";
import type { Pass } from "./pass.ts";

const DEADLINE = "Step exceeded its deadline";

/** Ends the nodes that may not go on; their pods are then cleaned up like those of any node that is over. */
export function endForbiddenNodes(pass: Pass): void {
  if (!pass.shutdown && !pass.pastDeadline) {
    if (pass.deadline !== undefined) pass.comeBackAt(pass.deadline + 1);
    return;
  }
  for (const [nodeId, pod] of pass.observed.pods) {
    const node = pass.nodes.get(nodeId);
    // A daemon that is up ends well, with its boundary.
    if (!node || isFulfilled(node)) continue;
    const phase = pod.status?.phase ?? "Pending";
    if (phase !== "Pending" && phase !== "Running") continue;
    const onExit = pod.metadata.labels?.[LABEL.onExit] !== undefined;
    // Argo writes two spaces here, and clients match it.
    if (!pass.mayRun(onExit)) fail(pass, node, `workflow shutdown with strategy:  ${pass.shutdown}`);
    else if (pass.pastDeadline && !onExit) fail(pass, node, DEADLINE);
  }
  for (const node of [...pass.nodes.all()]) if (!isFulfilled(node)) endNodeWithoutPod(pass, node);
}

function fail(pass: Pass, node: NodeStatus, message: string): void {
  pass.nodes.update(node.id, { daemoned: undefined, taskResultSynced: true });
  // One that has ended keeps its end: only its report is not waited for any more.
  if (isCompleted(node)) return;
  pass.mark(node.id, "Failed", message);
  for (const id of descendants(pass, node)) {
    const child = pass.nodes.get(id);
    if (child?.type === "Container" && !isOver(child)) pass.mark(id, "Failed", message);
  }
}

function descendants(pass: Pass, node: NodeStatus): string[] {
  const found = new Set<string>(node.children);
  for (const id of found) for (const child of pass.nodes.get(id)?.children ?? []) found.add(child);
  return [...found];
}

function endNodeWithoutPod(pass: Pass, node: NodeStatus): void {
  const onExit = isPartOfExitHandler(pass, node);
  if (pass.shutdown && !pass.mayRun(onExit)) {
    const waitsForLock = node.phase === "Pending" && Boolean(node.synchronizationStatus?.waiting);
    const idleRetry = node.type === "Retry" && pass.childrenFulfilled(node) && Boolean(node.children?.length);
    const remote = node.type === "HTTP" || node.type === "Plugin";
    if (isActiveSuspend(node) || remote || waitsForLock || idleRetry) {
      pass.mark(node.id, "Failed", `Stopped with strategy '${pass.shutdown}'`);
      return;
    }
  }
  if (pass.pastDeadline && !onExit && (node.phase === "Pending" || isActiveSuspend(node))) {
    pass.mark(node.id, "Failed", DEADLINE);
  }
}

function isPartOfExitHandler(pass: Pass, node: NodeStatus): boolean {
  for (let current: NodeStatus | undefined = node; current; current = pass.nodes.get(current.boundaryID ?? "")) {
    if (current.displayName?.endsWith(".onExit")) return true;
  }
  return false;
}

/** The end of a workflow by Stop, Terminate or its deadline. */
import type { NodeStatus, Pod } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { isSingleContainer } from "../pod/mod.ts";
import {
  hasRole,
  isActiveSuspend,
  isCompleted,
  isExitHandler,
  isFulfilled,
  isOver,
  millisOf,
  timeText,
} from "@tiphys/model/status";
import { DEADLINE_MESSAGE } from "../pass.ts";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";

/** Fails the nodes that may not continue. Their pods are then cleaned up like those of any completed node. */
export function endForbiddenNodes(pass: Slice<NodesDraft & RequestsDraft>): void {
  if (!pass.shutdown && !pass.isPastDeadline) {
    if (pass.deadline !== undefined) pass.requestPassAt(pass.deadline + 1);
    return;
  }
  for (const [nodeId, pod] of pass.facts.pods) {
    const node = pass.draft.nodes.get(nodeId);
    // A running daemon succeeds when its boundary ends.
    if (!node || isFulfilled(node)) continue;
    const phase = pod.status?.phase ?? "Pending";
    if (phase !== "Pending" && phase !== "Running") continue;
    const onExit = pod.metadata.labels?.[LABEL.onExit] !== undefined;
    // The two spaces are Argo's; clients match the message.
    if (!pass.mayRun(onExit)) failNode(pass, node, pod, `workflow shutdown with strategy:  ${pass.shutdown}`);
    else if (pass.isPastDeadline && !onExit) failNode(pass, node, pod, DEADLINE_MESSAGE);
  }
  for (const node of [...pass.draft.nodes.all()]) if (!isFulfilled(node)) endNodeWithoutPod(pass, node);
  if (pass.isPastDeadline) emitTimeoutEvent(pass);
}

/** Requests another pass if nodes were added in this one while the workflow is being ended: the next pass ends them. */
export function requestPassForNewNodes(pass: Slice): void {
  if (!pass.shutdown && !pass.isPastDeadline) return;
  const before = pass.facts.before.status?.nodes ?? {};
  for (const id of pass.draft.nodes.changed.keys()) {
    const node = pass.draft.nodes.get(id);
    if (before[id] || !node || isFulfilled(node)) continue;
    return pass.requestPassAt(pass.facts.now.getTime());
  }
}

/** Emits the timeout event once: when the first node is ended because the workflow's deadline has passed. */
function emitTimeoutEvent(pass: Slice<RequestsDraft>): void {
  if (pass.facts.config.workflowEvents === false) return;
  const timedOut = [...pass.draft.nodes.all()].filter((node) => wasEndedByDeadline(pass, node));
  const before = pass.facts.before.status?.nodes ?? {};
  if (timedOut.length === 0 || timedOut.some(({ id }) => wasEndedByDeadline(pass, before[id]))) return;
  pass.draft.request({ kind: "event", type: "Warning", reason: "WorkflowTimedOut", message: "Workflow timed out" });
}

function wasEndedByDeadline({ deadline = Infinity }: Slice, node: NodeStatus | undefined): boolean {
  return node?.phase === "Failed" && node.message === DEADLINE_MESSAGE && millisOf(node.finishedAt) >= deadline;
}

/**
 * Fails a node immediately. If its executor is running, the workflow waits for the pod, which may still save outputs
 * and whose end is recorded on the node. The wait is limited to the time that it takes to kill the pod.
 */
function failNode(pass: Slice<NodesDraft>, node: NodeStatus, pod: Pod, message: string): void {
  const stoppedAt = millisOf(node.finishedAt ?? timeText(pass.facts.now));
  const until = stoppedAt + secondsToEnd(pod) * 1000;
  // In a single-container pod, the executor does not create a task result first: it runs as long as the pod does.
  const isRunning = node.taskResultSynced === false || isSingleContainer(pod);
  const isAwaited = isRunning && pod.status?.phase === "Running" &&
    pass.facts.now.getTime() < until;
  if (isAwaited) pass.requestPassAt(until);
  pass.draft.update(node.id, { daemoned: undefined, taskResultSynced: !isAwaited });
  // A completed node keeps its phase and message.
  if (isCompleted(node)) return;
  pass.draft.mark(node.id, "Failed", message);
  pass.draft.update(node.id, { finishedAt: timeText(pass.facts.now) });
  for (const id of descendants(pass, node)) {
    const child = pass.draft.nodes.get(id);
    if (child?.type === "Container" && !isOver(child)) pass.draft.mark(id, "Failed", message);
  }
}

/**
 * The maximum number of seconds until a pod has ended: termination and kill each take up to one grace period, and the
 * notification up to 10 s.
 */
function secondsToEnd({ spec }: Pod): number {
  return 2 * (spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) + 10;
}

const DEFAULT_GRACE_SECONDS = 30;

function descendants(pass: Slice, node: NodeStatus): string[] {
  const found = new Set<string>(node.children);
  for (const id of found) for (const child of pass.draft.nodes.get(id)?.children ?? []) found.add(child);
  return [...found];
}

function endNodeWithoutPod(pass: Slice<NodesDraft>, node: NodeStatus): void {
  const onExit = isPartOfExitHandler(pass, node);
  if (pass.shutdown && !pass.mayRun(onExit)) {
    const waitsForLock = node.phase === "Pending" && Boolean(node.synchronizationStatus?.waiting);
    const isIdleRetry = node.type === "Retry" && pass.areDescendantsFulfilled(node) && Boolean(node.children?.length);
    if (isActiveSuspend(node) || hasRole(node, "agent") || waitsForLock || isIdleRetry) {
      return endWaiting(pass, node, `Stopped with strategy '${pass.shutdown}'`);
    }
  }
  if (pass.isPastDeadline && !onExit && (node.phase === "Pending" || hasRole(node, "agent") || isActiveSuspend(node))) {
    endWaiting(pass, node, DEADLINE_MESSAGE);
  }
}

/** Fails a waiting node, which then no longer waits for a lock. */
function endWaiting(pass: Slice<NodesDraft>, { id, synchronizationStatus }: NodeStatus, message: string): void {
  pass.draft.mark(id, "Failed", message);
  if (synchronizationStatus) pass.draft.update(id, { synchronizationStatus: undefined });
}

function isPartOfExitHandler(pass: Slice, node: NodeStatus): boolean {
  for (let current: NodeStatus | undefined = node; current; current = pass.draft.nodes.get(current.boundaryID ?? "")) {
    if (isExitHandler(current.displayName ?? "")) return true;
  }
  return false;
}

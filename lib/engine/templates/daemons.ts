/** The end of daemons, when the steps or DAG that they serve end. */
import type { NodeStatus } from "@tiphys/model/api";
import { attemptsOf, isCompleted, isOver } from "@tiphys/model/status";
import type { NodesDraft, Slice } from "../slice.ts";
import { resourcesDurationOf } from "../nodes/resources_duration.ts";

/** Ends the attempts of a daemon that are not ready yet: they would outlive the steps or DAG that they serve. */
function endAttempts(pass: Slice<NodesDraft>, retryNode: NodeStatus): void {
  for (const attempt of attemptsOf(retryNode, pass.draft.nodes)) {
    if (attempt.daemoned || isOver(attempt)) continue;
    pass.draft.mark(attempt.id, "Succeeded");
    pass.draft.update(attempt.id, { taskResultSynced: attempt.taskResultSynced === undefined ? undefined : true });
  }
}

/** Ends the daemons of a completed steps or DAG node; without an ID, those of the workflow itself. */
export function endDaemons(pass: Slice<NodesDraft>, boundaryId: string | undefined): void {
  const nodes = boundaryId ? pass.draft.nodes.withBoundary(boundaryId) : pass.draft.nodes.all();
  for (const node of [...nodes]) {
    if (node.daemoned && (boundaryId || !node.boundaryID)) endDaemon(pass, node);
  }
}

/**
 * Ends a daemon; its pod is stopped by the cleanup of pods. One that was failed while it was running, for example by an
 * invalid hook, keeps its phase.
 */
export function endDaemon(pass: Slice<NodesDraft>, node: NodeStatus): void {
  const ended = isCompleted(node) ? node : pass.draft.mark(node.id, "Succeeded");
  const pod = pass.facts.pods.get(node.id);
  const resourcesDuration = pod ? resourcesDurationOf(pod, pass.facts.now) : node.resourcesDuration;
  pass.draft.update(ended.id, { daemoned: undefined, ...(resourcesDuration && { resourcesDuration }) });
  if (node.type === "Retry") endAttempts(pass, node);
}

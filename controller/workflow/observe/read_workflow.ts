/** The first step of a pass: the parsed workflow with its nodes, or the reason why it cannot be read. */
import { isProblem, type ReadResult, type Workflow } from "@tiphys/model/api";
import { hydrate, UnreadableNodesError } from "@tiphys/model/nodes";
import { isCompletedPhase } from "@tiphys/model/status";
import { UserError } from "@tiphys/base/user_error";
import { hasGarbageFinalizer } from "@tiphys/engine/garbage";
import { readWorkflow } from "./readers.ts";

/** An error because the workflow cannot be parsed. The message is for its author. */
export class UnreadableWorkflowError extends UserError {
  override readonly name = "UnreadableWorkflowError";
}

/**
 * Returns a parsed workflow.
 * @throws {UnreadableWorkflowError} if it could not be parsed.
 */
export function unwrapWorkflow(read: ReadResult<Workflow>): Workflow {
  if (isProblem(read)) throw new UnreadableWorkflowError(read.message);
  return read;
}

/**
 * Parses an object as a workflow.
 * @throws {UnreadableWorkflowError} with the location of the error.
 */
export function workflowOf(seen: object): Workflow {
  return unwrapWorkflow(readWorkflow(seen));
}

/**
 * Returns the workflow with its nodes at their usual place. A finished workflow needs them only for its pods and its
 * garbage, and does without them if they are not available, because it must not stay forever. `max`: the maximum
 * number of nodes.
 * @throws {UnreadableNodesError} if they cannot be unpacked.
 */
export async function withNodes(workflow: Workflow, hasPods: boolean, max: number): Promise<Workflow> {
  const { compressedNodes, offloadNodeStatusVersion, ...status } = workflow.status ?? {};
  if (!compressedNodes || offloadNodeStatusVersion) return workflow;
  const isOver = isCompletedPhase(status.phase);
  const bare = { ...workflow, status };
  if (isOver && !hasPods && !hasGarbageFinalizer(workflow)) return bare;
  try {
    return await hydrate(workflow, max);
  } catch (error) {
    if (isOver && error instanceof UnreadableNodesError) return bare;
    throw error;
  }
}

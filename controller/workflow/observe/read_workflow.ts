/** The first step of a pass: the workflow as its kind, with its nodes, or the reason why there is none. */
import { isProblem, type Read, type Workflow } from "@tiphys/model/api";
import { hydrate, UnreadableNodesError } from "@tiphys/model/nodes";
import { isCompletedPhase } from "@tiphys/model/status";
import { UserError } from "@tiphys/base/user_error";
import { isKeptForGarbage } from "@tiphys/engine";
import { readWorkflow } from "./readers.ts";

/** The workflow cannot be read as one. The message is for its author. */
export class UnreadableWorkflowError extends UserError {
  override readonly name = "UnreadableWorkflowError";
}

/**
 * The workflow that was read.
 * @throws {UnreadableWorkflowError} when it could not be.
 */
export function readable(read: Read<Workflow>): Workflow {
  if (isProblem(read)) throw new UnreadableWorkflowError(read.message);
  return read;
}

/**
 * The workflow that an object is.
 * @throws {UnreadableWorkflowError} with the place of what is wrong.
 */
export function workflowOf(seen: object): Workflow {
  return readable(readWorkflow(seen));
}

/**
 * The workflow with its nodes at their usual place. Of one that is over they are wanted for its pods and its garbage only, and where they
 * cannot be had it is worked without: it must not stay for ever. `most`: as many nodes are read.
 * @throws {UnreadableNodesError} when they cannot be unpacked.
 */
export async function withNodes(found: Workflow, hasPods: boolean, most: number): Promise<Workflow> {
  const { compressedNodes, offloadNodeStatusVersion, ...status } = found.status ?? {};
  if (!compressedNodes || offloadNodeStatusVersion) return found;
  const isOver = isCompletedPhase(status.phase);
  const bare = { ...found, status };
  if (isOver && !hasPods && !isKeptForGarbage(found)) return bare;
  try {
    return await hydrate(found, most);
  } catch (error) {
    if (isOver && error instanceof UnreadableNodesError) return bare;
    throw error;
  }
}

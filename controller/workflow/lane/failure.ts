/** The reason why no pass over a workflow came to its end, in a form that goes from one thread to another. */
import { KubeError } from "@tiphys/kube";
import { isStackOverflow } from "@tiphys/base/overflow";
import { UserError } from "@tiphys/base/user_error";
import { TOO_DEEP } from "@tiphys/engine";
import { UnreadableWorkflowError } from "../observe/read_workflow.ts";

/** The failure of a workflow that cannot be worked, in words. */
export interface Failure {
  /** Whether it is somebody else's, the author's above all; else it is a mistake of ours. */
  readonly isTheirs: boolean;
  /** Whether the object could not even be read as a workflow. */
  readonly isUnreadable: boolean;
  /** The message that the workflow is marked with. */
  readonly message: string;
  /** The text in the controller's log. */
  readonly told: string;
}

/** A failure of a pass that was made elsewhere, or that took too long. */
export class PassFailedError extends Error {
  override readonly name = "PassFailedError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The failure that an error of a pass stands for. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PassFailedError) return error.failure;
  const problem = error instanceof Error ? error : new Error(String(error));
  const isTheirs = isOfWorkflow(problem) || problem instanceof KubeError;
  return {
    isTheirs,
    isUnreadable: problem instanceof UnreadableWorkflowError,
    message: isTheirs
      ? problem.message
      : isStackOverflow(problem)
      ? TOO_DEEP
      : `the controller failed: ${problem.message}`,
    told: isTheirs ? problem.message : problem.stack ?? problem.message,
  };
}

/** Whether an error is of the workflow itself, whatever its message quotes. */
export function isOfWorkflow(error: unknown): boolean {
  return error instanceof PassFailedError || error instanceof UserError;
}

/** The reason why passes over a workflow fail, in a form that can be sent between threads. */
import { KubeError } from "@tiphys/kube";
import { isStackOverflow } from "@tiphys/base/overflow";
import { UserError } from "@tiphys/base/user_error";
import { TOO_DEEP } from "@tiphys/engine";
import { UnreadableWorkflowError } from "../observe/read_workflow.ts";

/** The failure of a pass, as text. */
export interface Failure {
  /** Whether the cause is outside of the controller, usually the author; otherwise it is a bug of the controller. */
  readonly isExternal: boolean;
  /** Whether the object could not even be parsed as a workflow. */
  readonly isUnreadable: boolean;
  /** The message for the status of the workflow. */
  readonly message: string;
  /** The message for the controller's log. */
  readonly logText: string;
}

/** The failure of a pass that ran in another thread, or that took too long. */
export class PassFailedError extends Error {
  override readonly name = "PassFailedError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Converts an error of a pass to a failure. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PassFailedError) return error.failure;
  const problem = error instanceof Error ? error : new Error(String(error));
  const isTheirs = isOfWorkflow(problem) || problem instanceof KubeError;
  return {
    isExternal: isTheirs,
    isUnreadable: problem instanceof UnreadableWorkflowError,
    message: isTheirs
      ? problem.message
      : isStackOverflow(problem)
      ? TOO_DEEP
      : `the controller failed: ${problem.message}`,
    logText: isTheirs ? problem.message : problem.stack ?? problem.message,
  };
}

/** Whether an error is caused by the workflow itself, whatever its message contains. */
export function isOfWorkflow(error: unknown): boolean {
  return error instanceof PassFailedError || error instanceof UserError;
}

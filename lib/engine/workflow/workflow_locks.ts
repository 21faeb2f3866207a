/** The locks of a workflow as a whole: it does not start before it has all of them. */
import { parseLockItems } from "../lock_table/mod.ts";
import { UserError } from "@tiphys/base/user_error";
import { WHOLE_WORKFLOW } from "../locks/lock_facts.ts";
import type { Draft } from "../draft.ts";
import type { Slice } from "../slice.ts";
import { markWorkflow } from "./workflow_phase.ts";

const FAILED = "Failed to acquire the synchronization lock.";
const WAITING = "Waiting ";

/** Reports whether the workflow has all of its locks, or needs no lock. Otherwise, the pass ends. */
export function hasWorkflowLocks(pass: Slice<Draft>): boolean {
  const { synchronization } = pass.draft.spec;
  if (!synchronization) return true;
  const answer = pass.facts.locks?.answers.get(WHOLE_WORKFLOW);
  if (answer?.kind === "held") {
    const { message, phase } = pass.draft.workflow.status ?? {};
    if (phase === "Running" && message?.startsWith(WAITING)) pass.draft.setStatus({ message: undefined });
    return true;
  }
  if (pass.shutdown) {
    markWorkflow(pass, "Failed", `Stopped with strategy '${pass.shutdown}'`);
    return false;
  }
  switch (answer?.kind) {
    case undefined:
    case "namedSuccessor":
      return !requestLocks(pass);
    case "undecided":
    case "lost":
      return false;
    case "failed":
      markWorkflow(pass, "Failed", `${FAILED} ${answer.message}`);
      return false;
    case "waiting":
      showWaiting(pass, answer.message);
      return false;
    case "temporaryError":
      showWaiting(pass, `Waiting to acquire the synchronization lock. ${answer.message}`);
      return false;
  }
}

/** The error of a workflow that cannot continue because the database lacks a lock that its status lists as held. */
export function lostLockMessage(pass: Slice): string | undefined {
  const [message] = pass.facts.locks?.answers.lost.values() ?? [];
  return message;
}

/** Requests the locks. Returns false if the list is empty. */
function requestLocks(pass: Slice<Draft>): boolean {
  const { synchronization, priority = 0 } = pass.draft.spec;
  try {
    const locks = parseLockItems(synchronization!, pass.draft.workflow.metadata.namespace ?? "");
    if (locks.length) pass.draft.requestLocks({ nodeId: WHOLE_WORKFLOW, locks, priority });
    return locks.length > 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    markWorkflow(pass, "Failed", `${FAILED} ${error.message}`);
    return true;
  }
}

/** Shows why the workflow waits, in the phase Pending. A workflow that has started stays Running. */
function showWaiting(pass: Slice<Draft>, message: string): void {
  const { phase, message: before } = pass.draft.workflow.status ?? {};
  const next = phase === "Running" ? "Running" : "Pending";
  if (phase !== next || before !== message) markWorkflow(pass, next, message);
}

/** The kind of workflows for the loop: passes, and the report about a workflow that cannot be reconciled. */
import { keyOf, type KubeObject } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import type { FailedPass, Kind, PassEnd, Requeue } from "../loop/kind.ts";
import type { Candidate, WorkState } from "../loop/throttle.ts";
import { failureOf, isOfWorkflow } from "./lane/failure.ts";
import { phaseOf, priorityOf } from "./observe/glance.ts";
import { OUTDATED_RETRY_MILLIS, pass } from "./reconciler.ts";
import type { ReconcilerOptions } from "./reconciler_options.ts";
import { endBrokenWorkflow } from "./record/mark_broken.ts";
import { forgetWorkflow } from "./subject.ts";

/** The kind `Workflow`. */
export class WorkflowKind implements Kind {
  readonly name = "workflow";
  readonly #options: ReconcilerOptions;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  cachedObject(key: string): KubeObject | undefined {
    return this.#options.caches.workflows.get(key);
  }

  pass(key: string, stepAside: () => void): Promise<PassEnd> {
    return pass(this.#options, key, stepAside);
  }

  isOfObject(error: unknown): boolean {
    return isOfWorkflow(error);
  }

  retryAfterConflict(key: string): Requeue {
    const { clock, knownWorkflows } = this.#options;
    const state = knownWorkflows.get(key);
    if (state) state.outdatedSince = clock.now();
    return clock.now() + OUTDATED_RETRY_MILLIS;
  }

  restMillis(key: string): number | undefined {
    return this.#options.knownWorkflows.get(key)?.pace.restMillis;
  }

  /**
   * Ends the workflow with the error, and logs it: with the whole stack if it is not the fault of the workflow's
   * author.
   */
  async reportFailure(key: string, { seen, error, failures }: FailedPass): Promise<KubeObject | undefined> {
    const { client, clock, actions, log } = this.#options;
    forgetWorkflow(this.#options, key);
    this.#options.locks.revokeGrants(key);
    const { isExternal, isUnreadable, message, logText } = failureOf(error);
    log.error("A pass failed", { workflow: key, failures, error: logText });
    actions.metrics.passFailed();
    const phase = isUnreadable ? "Failed" : "Error";
    const time = timeText(new Date(clock.now()));
    const marked = await endBrokenWorkflow(client, seen, { phase, message, isUserError: isExternal, at: time });
    const isTold = this.#options.config().workflowEvents !== false;
    if (marked && isTold) actions.events.record(seen, { type: "Warning", reason: "WorkflowFailed", message });
    return marked;
  }
}

/** A workflow for the limits on running workflows. */
export function limitCandidate(workflow: KubeObject): [string, WorkState, Candidate] {
  const { namespace = "", creationTimestamp = "", deletionTimestamp } = workflow.metadata;
  const phase = phaseOf(workflow) || "Pending";
  const isOver = deletionTimestamp !== undefined || (phase !== "Pending" && phase !== "Running");
  const state = isOver ? "completed" : phase === "Running" ? "working" : "waiting";
  return [keyOf(workflow), state, { namespace, priority: priorityOf(workflow), created: creationTimestamp }];
}

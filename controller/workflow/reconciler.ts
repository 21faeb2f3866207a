/** A pass over a workflow: observe, decide, record, apply. */
import { withWorkSpan } from "@tiphys/base/metrics";
import { Memory } from "@tiphys/engine";
import { hasGarbageFinalizer } from "@tiphys/engine/garbage";
import type { Workflow } from "@tiphys/model/api";
import { isCompletedPhase } from "@tiphys/model/status";
import type { PassEnd, Requeue } from "../loop/kind.ts";
import { startActions } from "./apply/apply.ts";
import { decideInFastLane, decideInSlowLane } from "./decider.ts";
import { LaneLostError } from "./lane/lane.ts";
import type { ReconcilerOptions } from "./reconciler_options.ts";
import type { DecisionSummary } from "./record/status_writing.ts";
import { findSubject, releaseWorkflow, type Subject } from "./subject.ts";
import { decideWithLocks } from "./sync/decide_with_locks.ts";
import { Writer } from "./writer.ts";

/** The delay before the next attempt after an outdated state, in milliseconds. */
export const OUTDATED_RETRY_MILLIS = 200;

/** The delay of the next pass after the slow lane lost a workflow, in milliseconds. */
const LANE_RETRY_MILLIS = 50;

/**
 * Runs one pass over the workflow of a key (`namespace/name`). Calls `stepAside` if the pass is made in the slow lane:
 * it does not occupy a worker.
 * @throws {unknown} any error of the pass; the loop sorts it.
 */
export async function pass(options: ReconcilerOptions, key: string, stepAside: () => void): Promise<PassEnd> {
  const { actions: { onWork }, clock } = options;
  try {
    const found = await findSubject(options, key);
    if (found === "gone") return { requeue: "onChange" };
    if (found === "outdated") return { requeue: clock.now() + OUTDATED_RETRY_MILLIS, isInconclusive: true };
    const work = {
      name: "reconcile_workflow",
      workflow: found.seen,
      ...(onWork && { key: `pass ${crypto.randomUUID()}` }),
    } as const;
    const subject = { ...found, trace: work.key === undefined ? {} : { partOf: work.key } };
    return { requeue: await withWorkSpan(onWork, work, clock, () => reconcile(options, subject, stepAside)) };
  } catch (error) {
    if (!(error instanceof LaneLostError)) throw error;
    return { requeue: clock.now() + LANE_RETRY_MILLIS, isInconclusive: true };
  } finally {
    options.locks.passEnded(key);
  }
}

async function reconcile(options: ReconcilerOptions, subject: Subject, stepAside: () => void): Promise<Requeue> {
  const { actions: context, clock, ledger, locks } = options;
  const { key, seen, state: { outcomes }, trace } = subject;

  // Observe: the newest state is in `subject`; all other facts are read for each decision.
  applyForeignState(options, subject);
  const writer = new Writer(options, subject);
  if (writer.isSlow) stepAside();

  // Decide: nothing is written before all locks that the workflow requests are answered.
  const decideOnce = writer.isSlow ? decideInSlowLane : decideInFastLane;
  const locked = await decideWithLocks({
    key,
    locks,
    answer: (requests) =>
      withWorkSpan(
        context.onWork,
        { name: "try_acquire_lock", workflow: seen, ...trace },
        clock,
        () => locks.resolveRequests(key, seen, requests),
      ),
  }, (isFirst) => decideOnce(options, isFirst ? subject : { ...subject, read: undefined }));
  // A decision without enough time is made again at once; the second time the workflow moves to the slow lane.
  if (!locked) return "now";
  for (const note of locked.decided.decision.logLines) options.log.debug(note, { workflow: key });

  // Record: pods of nodes that are in the status already need not wait for the write.
  const { early, late } = writer.order(locked.decided);
  startActions(context, locked.decided.before, outcomes, early);
  const plan = await writer.plan(locked, late);
  if (plan.when === "later") return plan.at;
  if (plan.when === "undo") return "now";
  const { before, decision } = plan.decision.decided;
  // Metrics wait until the write is counted: a client may see the new phase before the response to the write is here.
  using _ = context.metrics.beginWrite();
  const written = await writer.write(plan);
  if (!written) return "now";
  reportPhase(options, subject, before, written);
  if (decision.locks) locks.recordWrite(key, decision.locks);

  // Apply: a crash before this leaves a node without its pod, which the next pass creates.
  startActions(context, written, outcomes, plan.actions);
  recordGauges(options, decision, written);
  const isDone = written.status?.finishedAt && plan.actions.length === 0 && !ledger.isAwaited(key);
  if (isDone) finish(options, subject);
  return decision.locks?.requests.length ? "now" : decision.requeueAt ?? "onChange";
}

/** Updates the known state from what another client wrote. */
function applyForeignState({ locks }: ReconcilerOptions, { read, state: { outcomes } }: Subject): void {
  if (read) locks.observe(read);
  outcomes.throwDefect();
  if (read && !hasGarbageFinalizer(read)) outcomes.forgetCollectors();
}

function reportPhase(
  { actions: { metrics, onEnded }, log }: ReconcilerOptions,
  { key, state }: Subject,
  before: Workflow,
  written: Workflow,
): void {
  const { phase, message = "" } = written.status ?? {};
  if (written === before || phase === before.status?.phase) return;
  metrics.phaseEntered(before, written);
  if (!state.isWithoutNodes && isCompletedPhase(phase)) onEnded?.(written);
  log.info("The workflow's phase changed", { workflow: key, phase, message });
}

function recordGauges(
  { actions: { events, metrics } }: ReconcilerOptions,
  decision: DecisionSummary,
  written: Workflow,
): void {
  for (const message of decision.gauges ? metrics.follow(written, decision.gauges) : []) {
    events.record(written, { type: "Warning", reason: "MetricsError", message });
  }
}

/** A finished workflow without pending actions has few passes left, and there may be many such workflows. */
function finish(options: ReconcilerOptions, subject: Subject): void {
  subject.state.memory = new Memory();
  options.lane.forget(subject.key);
  releaseWorkflow(options, subject);
}

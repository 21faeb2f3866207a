/**
 * The decision about one cron workflow: from facts to a new status, and the actions that follow. It is pure: no client,
 * no clock, no logger. State for the next pass is part of the result.
 */
import type { CronWorkflow } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import type { GoZone } from "@tiphys/base/go";
import {
  CronError,
  evaluateCronStop,
  evaluateCronWhen,
  inTimezone,
  parseSchedule,
  TemplateError,
} from "@tiphys/language/template";
import { validateCronWorkflow } from "@tiphys/language/validate";
import { childOf } from "./child_workflow.ts";
import { childReference, historyDeletions, updateChildren } from "./children.ts";
import { CronDraft } from "./draft.ts";
import { Slots } from "./slots.ts";
import type { CronAction, CronDecision, CronFacts, DefaultMetadata, WatchState } from "./types.ts";

/**
 * Decides what to do about a cron workflow. `before` is the state that the last pass returned; `now` is in milliseconds
 * since 1970.
 */
export function decide(facts: CronFacts, before: WatchState | undefined, now: number): CronDecision {
  const { cron } = facts;
  const draft = new CronDraft(cron);
  const schedules = usedSchedules(cron);
  const counted = updateChildren(draft, facts, before?.counted ?? new Set());
  const hasNewEnds = [...counted].some((uid) => !before?.counted.has(uid));
  if (isResumed(draft, cron, schedules)) draft.resume();
  const mistake = problemOf(facts);
  const problem = mistake ?? stopProblem(draft, cron);
  draft.setCondition("SpecError", problem);
  const isWatched = problem === undefined && !cron.spec.suspend && !draft.isStopped;
  const terms = JSON.stringify([isWatched, schedules]);
  let watch = before?.watchKey === terms ? before : begin(draft, facts, { terms, schedules, now, isWatched });
  watch = { ...watch, counted };
  // Recorded even if the stop condition cannot be evaluated and no child is created.
  if (mistake === undefined) draft.annotate(ANNOTATION.lastUsedSchedule, schedules);
  const { slots } = watch;
  const plan = slots ? planSlots(draft, facts, watch, { slots, now, hasNewEnds }) : { actions: [], notes: [], watch };
  return { ...plan, actions: [...plan.actions, ...historyDeletions(facts)], cron: draft.toCronWorkflow() };
}

/** The schedules as they are recorded, each with its time zone. */
function usedSchedules({ spec }: CronWorkflow): string {
  return spec.schedules.map((schedule) => inTimezone(schedule, spec.timezone)).join(",");
}

/** Whether a stopped cron workflow resumes: its label was removed, or its schedules or stop condition changed. */
function isResumed(draft: CronDraft, { spec }: CronWorkflow, schedules: string): boolean {
  if (!draft.isStopped) return false;
  const by = draft.annotation(ANNOTATION.stoppedBy);
  const used = draft.annotation(ANNOTATION.lastUsedSchedule);
  return draft.label(LABEL.cronCompleted) !== "true" ||
    (by !== undefined && by !== (spec.stopStrategy?.expression ?? "")) ||
    (used !== undefined && used !== schedules);
}

/** The first error in the specification, as a message for its author; undefined if it is valid. */
function problemOf({ cron, templates, local, defaults }: CronFacts): string | undefined {
  const [first] = validateCronWorkflow(withDefaultLabels(cron, defaults), templates);
  if (!first) return zoneProblem(cron, local);
  return first.path.startsWith("spec.workflowSpec") ? `cannot validate Workflow: ${first.message}` : first.message;
}

/**
 * The cron workflow with the labels and annotations that the controller's defaults give its children, because tags may
 * refer to them.
 */
function withDefaultLabels(cron: CronWorkflow, defaults: DefaultMetadata | undefined): CronWorkflow {
  const places = [defaults?.metadata, defaults?.spec?.workflowMetadata].filter((place) => place !== undefined);
  if (places.length === 0) return cron;
  const { workflowMetadata } = cron.spec;
  const sources = [...places, workflowMetadata ?? {}];
  const labels = Object.assign({}, ...sources.map((place) => place.labels), labelsFromOf(defaults));
  const annotations = Object.assign({}, ...sources.map((place) => place.annotations));
  return { ...cron, spec: { ...cron.spec, workflowMetadata: { ...workflowMetadata, labels, annotations } } };
}

/** The labels of the defaults whose values are expressions. Only their names matter here. */
function labelsFromOf(defaults: DefaultMetadata | undefined): Record<string, string> {
  const names = Object.keys(defaults?.spec?.workflowMetadata?.labelsFrom ?? {});
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** Checks each schedule together with its zone: a schedule with a zone is invalid if `timezone` adds a second one. */
function zoneProblem({ spec: { schedules, timezone } }: CronWorkflow, local: GoZone): string | undefined {
  for (const schedule of schedules) {
    try {
      parseSchedule(inTimezone(schedule, timezone), local);
    } catch (error) {
      if (!(error instanceof CronError)) throw error;
      return `cron schedule ${schedule} is malformed: ${error.reason}`;
    }
  }
  return undefined;
}

/** The error in the stop condition; undefined if it is valid, or if the cron workflow has stopped. */
function stopProblem(draft: CronDraft, cron: CronWorkflow): string | undefined {
  const expression = cron.spec.stopStrategy?.expression;
  if (expression === undefined || draft.isStopped) return undefined;
  try {
    evaluateCronStop(expression, variables(draft, cron));
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return `failed to check CronWorkflow '${cron.metadata.name}' stopping condition: ${error.message}`;
  }
}

/** The variables that conditions can use. */
function variables({ status }: CronDraft, { metadata }: CronWorkflow) {
  const { succeeded, failed, lastScheduledTime, active = [] } = status;
  return {
    name: metadata.name ?? "",
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    ...(metadata.labels && { labels: metadata.labels }),
    ...(metadata.annotations && { annotations: metadata.annotations }),
    ...(succeeded !== undefined && { succeeded }),
    ...(failed !== undefined && { failed }),
    ...(lastScheduledTime !== undefined && { lastScheduledTime }),
    active: active.length,
  };
}

/**
 * Starts watching the schedules: from now on or, if missed slots are caught up, from the last slot with a child. Missed
 * slots are not caught up if the schedules have changed since.
 */
function begin(
  draft: CronDraft,
  { cron: { metadata, spec }, local }: CronFacts,
  { terms: watchKey, schedules, now, isWatched }: {
    readonly terms: string;
    readonly schedules: string;
    readonly now: number;
    readonly isWatched: boolean;
  },
): WatchState {
  const last = draft.lastScheduledTime;
  const created = Date.parse(metadata.creationTimestamp ?? "");
  const anchor = last ?? (Number.isNaN(created) ? now : created);
  const catchesUp = (spec.startingDeadlineSeconds ?? 0) > 0 &&
    draft.annotation(ANNOTATION.lastUsedSchedule) === schedules;
  return {
    watchKey,
    startedAt: now,
    since: catchesUp && last !== undefined ? Math.min(last, now) : now,
    ...(isWatched && { slots: new Slots(spec.schedules, { timezone: spec.timezone, local, anchor }) }),
    counted: new Set(),
  };
}

type Plan = Pick<CronDecision, "actions" | "watch" | "requeueAt" | "notes">;

/** Plans the slots: which one is due, the result of the last attempt, and when the next one is due. */
function planSlots(
  draft: CronDraft,
  facts: CronFacts,
  previous: WatchState,
  { slots, now, hasNewEnds }: { readonly slots: Slots; readonly now: number; readonly hasNewEnds: boolean },
): Plan {
  const { spec } = facts.cron;
  const deadline = (spec.startingDeadlineSeconds ?? 0) * 1000;
  const due = slots.latestSlot(previous.since, now);
  const { watch, requeueAt } = recordAttempt(draft, previous, { due, deadline, now });
  const notes: string[] = [];
  const rest = (since: number, actions: readonly CronAction[] = [], requeueAt = slots.next(now)): Plan => ({
    actions,
    notes,
    watch: { ...watch, since },
    requeueAt,
  });
  const isDue = due !== undefined && due > watch.since;
  if ((isDue || hasNewEnds) && shouldStop(draft, facts.cron)) {
    draft.stop(spec.stopStrategy?.expression ?? "");
    // Resuming starts the watch from scratch.
    return { actions: [], notes, watch: { ...watch, watchKey: "stopped" } };
  }
  if (!isDue) return rest(watch.since);
  if (requeueAt !== undefined && requeueAt > now) {
    return rest(watch.since, [], Math.min(requeueAt, slots.next(now) ?? requeueAt));
  }
  if (due <= watch.startedAt && now >= due + deadline) return rest(due);
  const refusal = requeueAt === undefined ? skipReason(draft, facts.cron) : undefined;
  if (refusal !== undefined) {
    notes.push(refusal);
    return rest(due, refusal === BUSY_MESSAGE ? [COUNT_POLICY] : []);
  }
  const replaces = spec.concurrencyPolicy === "Replace" ? draft.active : [];
  // A repeated attempt for a slot is not counted again.
  const counted = requeueAt === undefined ? [...(replaces.length > 0 ? [COUNT_POLICY] : []), COUNT_TRIGGERED] : [];
  return rest(watch.since, [
    ...counted,
    { kind: "createChild", slot: due, child: childOf(facts.cron, due, facts.instanceId), replaces },
  ]);
}

/**
 * Records the outcome of an attempt to create a child. `requeueAt` is the time of the next attempt, in milliseconds
 * since 1970; absent if the slot has a child or was given up.
 */
function recordAttempt(
  draft: CronDraft,
  previous: WatchState,
  { due, deadline, now }: { readonly due: number | undefined; readonly deadline: number; readonly now: number },
): { readonly watch: WatchState; readonly requeueAt?: number } {
  const { attempt, ...watch } = previous;
  if (!attempt) return { watch };
  const { slot, outcome } = attempt;
  const isOver = { ...watch, since: Math.max(watch.since, slot) };
  if (outcome.kind === "made") {
    draft.addActive(childReference(outcome.child));
    draft.recordScheduled(slot);
    draft.setCondition("SubmissionError", undefined);
    return { watch: isOver };
  }
  draft.setCondition("SubmissionError", outcome.message);
  const isLate = (due !== undefined && due > slot) || (deadline > 0 && now >= slot + deadline);
  if (outcome.isRetryable && !isLate) return { watch: previous, requeueAt: outcome.againAt };
  draft.countFailure();
  return { watch: isOver };
}

function shouldStop(draft: CronDraft, cron: CronWorkflow): boolean {
  const expression = cron.spec.stopStrategy?.expression;
  return expression !== undefined && evaluateCronStop(expression, variables(draft, cron));
}

/** The reason why a due slot is skipped; undefined if it is not. */
function skipReason(draft: CronDraft, cron: CronWorkflow): string | undefined {
  try {
    if (!evaluateCronWhen(cron.spec.when ?? "", variables(draft, cron))) return "its `when` is false";
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const message = `run policy error: ${error.message}`;
    draft.setCondition("SubmissionError", message);
    return message;
  }
  const isBusy = cron.spec.concurrencyPolicy === "Forbid" && draft.active.length > 0;
  return isBusy ? BUSY_MESSAGE : undefined;
}

const BUSY_MESSAGE = "an earlier workflow is still running";

/** The concurrency policy skipped a slot, or stopped a workflow for it. */
const COUNT_POLICY: CronAction = { kind: "count", metric: "cronworkflows_concurrencypolicy_triggered" };
const COUNT_TRIGGERED: CronAction = { kind: "count", metric: "cronworkflows_triggered_total" };

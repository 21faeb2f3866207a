/**
 * The decision about one cron workflow: from facts to a new status, and the actions that follow. Pure: no client, no
 * clock, no logger; what is to be remembered until the next pass is handed back.
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
import { referenceTo, settleChildren, tooOld } from "./children.ts";
import { CronDraft } from "./draft.ts";
import { Slots } from "./slots.ts";
import type { CronAction, CronDecision, CronFacts, DefaultMetadata, Watch } from "./types.ts";

/**
 * Decides what is to be done about a cron workflow now. `before` is what the last pass remembered; `now` is in
 * milliseconds since 1970.
 */
export function decide(facts: CronFacts, before: Watch | undefined, now: number): CronDecision {
  const { cron } = facts;
  const draft = new CronDraft(cron);
  const schedules = usedSchedules(cron);
  const counted = settleChildren(draft, facts, before?.counted ?? new Set());
  const hasNewEnds = [...counted].some((uid) => !before?.counted.has(uid));
  if (isMeantToGoOn(draft, cron, schedules)) draft.revive();
  const mistake = problemOf(facts);
  const problem = mistake ?? stopProblem(draft, cron);
  draft.setCondition("SpecError", problem);
  const isWatched = problem === undefined && !cron.spec.suspend && !draft.isStopped;
  const terms = JSON.stringify([isWatched, schedules]);
  let watch = before?.terms === terms ? before : begin(draft, facts, { terms, schedules, now, isWatched });
  watch = { ...watch, counted };
  // Schedules are used, also where the condition to stop cannot be evaluated and nothing is made.
  if (mistake === undefined) draft.annotate(ANNOTATION.lastUsedSchedule, schedules);
  const { slots } = watch;
  const plan = slots ? planOf(draft, facts, watch, { slots, now, hasNewEnds }) : { actions: [], notes: [], watch };
  return { ...plan, actions: [...plan.actions, ...tooOld(facts)], cron: draft.done() };
}

/** The schedules as they are recorded: each with the zone that it is meant in. */
function usedSchedules({ spec }: CronWorkflow): string {
  return spec.schedules.map((schedule) => inTimezone(schedule, spec.timezone)).join(",");
}

/** A cron workflow that has stopped goes on when somebody takes the label away, or changes when it runs or stops. */
function isMeantToGoOn(draft: CronDraft, { spec }: CronWorkflow, schedules: string): boolean {
  if (!draft.isStopped) return false;
  const by = draft.annotation(ANNOTATION.stoppedBy);
  const used = draft.annotation(ANNOTATION.lastUsedSchedule);
  return draft.label(LABEL.cronCompleted) !== "true" ||
    (by !== undefined && by !== (spec.stopStrategy?.expression ?? "")) ||
    (used !== undefined && used !== schedules);
}

/** The first mistake in the specification, in words for its author; undefined where there is none. */
function problemOf({ cron, templates, local, defaults }: CronFacts): string | undefined {
  const [first] = validateCronWorkflow(withDefaultLabels(cron, defaults), templates);
  if (!first) return zoneProblem(cron, local);
  return first.path.startsWith("spec.workflowSpec") ? `cannot validate Workflow: ${first.message}` : first.message;
}

/** The cron workflow with the labels and annotations that its children get from the controller's defaults: tags may name them. */
function withDefaultLabels(cron: CronWorkflow, defaults: DefaultMetadata | undefined): CronWorkflow {
  const places = [defaults?.metadata, defaults?.spec?.workflowMetadata].filter((place) => place !== undefined);
  if (places.length === 0) return cron;
  const { workflowMetadata } = cron.spec;
  const sources = [...places, workflowMetadata ?? {}];
  const labels = Object.assign({}, ...sources.map((place) => place.labels), labelsFromOf(defaults));
  const annotations = Object.assign({}, ...sources.map((place) => place.annotations));
  return { ...cron, spec: { ...cron.spec, workflowMetadata: { ...workflowMetadata, labels, annotations } } };
}

/** The labels of the defaults whose values are expressions: their names count here. */
function labelsFromOf(defaults: DefaultMetadata | undefined): Record<string, string> {
  const names = Object.keys(defaults?.spec?.workflowMetadata?.labelsFrom ?? {});
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** A schedule may be right by itself, and wrong with a second zone in front. */
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

/** The mistake in the condition on which the cron workflow stops; undefined where there is none, or it has stopped. */
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

/** The variables that conditions may read. */
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
 * Watching begins: now, or, where missed slots are caught up, with the last one that was made. Schedules that were changed
 * since are not.
 */
function begin(
  draft: CronDraft,
  { cron: { metadata, spec }, local }: CronFacts,
  { terms, schedules, now, isWatched }: {
    readonly terms: string;
    readonly schedules: string;
    readonly now: number;
    readonly isWatched: boolean;
  },
): Watch {
  const last = draft.lastScheduledTime;
  const created = Date.parse(metadata.creationTimestamp ?? "");
  const anchor = last ?? (Number.isNaN(created) ? now : created);
  const catchesUp = (spec.startingDeadlineSeconds ?? 0) > 0 &&
    draft.annotation(ANNOTATION.lastUsedSchedule) === schedules;
  return {
    terms,
    beganAt: now,
    since: catchesUp && last !== undefined ? Math.min(last, now) : now,
    ...(isWatched && { slots: new Slots(spec.schedules, { timezone: spec.timezone, local, anchor }) }),
    counted: new Set(),
  };
}

type Plan = Pick<CronDecision, "actions" | "watch" | "comeBackAt" | "notes">;

/** The slots: which one is due, what became of it, and when the next one is. */
function planOf(
  draft: CronDraft,
  facts: CronFacts,
  given: Watch,
  { slots, now, hasNewEnds }: { readonly slots: Slots; readonly now: number; readonly hasNewEnds: boolean },
): Plan {
  const { spec } = facts.cron;
  const deadline = (spec.startingDeadlineSeconds ?? 0) * 1000;
  const due = slots.latest(given.since, now);
  const { watch, again } = settleAttempt(draft, given, { due, deadline, now });
  const notes: string[] = [];
  const rest = (since: number, actions: readonly CronAction[] = [], comeBackAt = slots.next(now)): Plan => ({
    actions,
    notes,
    watch: { ...watch, since },
    comeBackAt,
  });
  const isDue = due !== undefined && due > watch.since;
  if ((isDue || hasNewEnds) && isToStop(draft, facts.cron)) {
    draft.stop(spec.stopStrategy?.expression ?? "");
    // When somebody lets it go on, watching begins anew.
    return { actions: [], notes, watch: { ...watch, terms: "stopped" } };
  }
  if (!isDue) return rest(watch.since);
  if (again !== undefined && again > now) return rest(watch.since, [], Math.min(again, slots.next(now) ?? again));
  if (due <= watch.beganAt && now >= due + deadline) return rest(due);
  const refusal = again === undefined ? refusalOf(draft, facts.cron) : undefined;
  if (refusal !== undefined) {
    notes.push(refusal);
    return rest(due, refusal === BUSY ? [POLICY] : []);
  }
  const replaces = spec.concurrencyPolicy === "Replace" ? draft.active : [];
  // Another attempt for the same slot is not another slot.
  const counted = again === undefined ? [...(replaces.length > 0 ? [POLICY] : []), TRIGGERED] : [];
  return rest(watch.since, [
    ...counted,
    { kind: "createChild", slot: due, child: childOf(facts.cron, due, facts.instanceId), replaces },
  ]);
}

/**
 * Takes the outcome of the child that was asked for into the status. `again` is the moment at which the child may be
 * asked for again, present as long as its slot is not given up.
 */
function settleAttempt(
  draft: CronDraft,
  given: Watch,
  { due, deadline, now }: { readonly due: number | undefined; readonly deadline: number; readonly now: number },
): { readonly watch: Watch; readonly again?: number } {
  const { attempt, ...watch } = given;
  if (!attempt) return { watch };
  const { slot, outcome } = attempt;
  const isOver = { ...watch, since: Math.max(watch.since, slot) };
  if (outcome.kind === "made") {
    draft.addActive(referenceTo(outcome.child));
    draft.scheduled(slot);
    draft.setCondition("SubmissionError", undefined);
    return { watch: isOver };
  }
  draft.setCondition("SubmissionError", outcome.message);
  const isLate = (due !== undefined && due > slot) || (deadline > 0 && now >= slot + deadline);
  if (outcome.mayPass && !isLate) return { watch: given, again: outcome.againAt };
  draft.countFailure();
  return { watch: isOver };
}

function isToStop(draft: CronDraft, cron: CronWorkflow): boolean {
  const expression = cron.spec.stopStrategy?.expression;
  return expression !== undefined && evaluateCronStop(expression, variables(draft, cron));
}

/** The reason why nothing is made for a slot that is due; undefined when it is. */
function refusalOf(draft: CronDraft, cron: CronWorkflow): string | undefined {
  try {
    if (!evaluateCronWhen(cron.spec.when ?? "", variables(draft, cron))) return "its `when` is false";
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const message = `run policy error: ${error.message}`;
    draft.setCondition("SubmissionError", message);
    return message;
  }
  const isBusy = cron.spec.concurrencyPolicy === "Forbid" && draft.active.length > 0;
  return isBusy ? BUSY : undefined;
}

const BUSY = "an earlier workflow is still at work";

/** The concurrency policy held a slot back, or ended a workflow for it. */
const POLICY: CronAction = { kind: "count", metric: "cronworkflows_concurrencypolicy_triggered" };
const TRIGGERED: CronAction = { kind: "count", metric: "cronworkflows_triggered_total" };

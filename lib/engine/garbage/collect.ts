/**
 * Decides about the collection of garbage. For each strategy that is due, and each account that deletes, there must be a pod with
 * tasks. The report of a completed pod is recorded in the status. When nothing is left, the finalizer of the workflow is removed.
 */
import type { Pod, WorkflowSpec } from "@tiphys/model/api";
import type { DeletionStrategy } from "@tiphys/model/artifact_garbage";
import { isCompletedPhase, millisOf } from "@tiphys/model/status";
import type { UnknownImage } from "../pod/mod.ts";
import { UserError } from "@tiphys/base/user_error";
import { settleRepository } from "../spec/artifact_repository.ts";
import { mergeSpecs } from "../spec/effective_spec.ts";
import { settledSpec } from "../spec/restricted_spec.ts";
import { imageKey } from "../templates/image_commands.ts";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import type { GarbageFacts } from "../types.ts";
import { attemptNames, collectorOf, type GarbageGroup, groupsOf, isOfRound } from "./collector.ts";
import { findGarbage } from "./find_garbage.ts";
import { isKeptForGarbage, removeGarbageFinalizer } from "./finalizer.ts";
import { announceProblem, collectReport, forgetProblem, recoup } from "./collect_report.ts";

/** The delay between the end of a failed pod and the next attempt, in milliseconds. */
const ATTEMPT_AFTER_MILLIS = 10_000;
/** How long a deleted workflow waits for its artifacts if `forceFinalizerRemoval` is set, in milliseconds. */
const FORCED_AFTER_MILLIS = 3_600_000;
/** The delay before the command of an image is requested from its registry again, in milliseconds. */
const IMAGE_RETRY_MILLIS = 10_000;
/** The delay before the spec with the account is read again after a failure, in milliseconds. */
const SPEC_RETRY_MILLIS = 30_000;

/** Schedules another pass for a workflow that completes in this pass, to collect its garbage. */
export function awaitGarbage(pass: Slice): void {
  const { workflow } = pass.draft;
  if (!isKeptForGarbage(workflow) || !isCompletedPhase(workflow.status?.phase)) return;
  pass.requestPassAt(pass.facts.now.getTime());
}

/** Collects the garbage of a workflow that has completed, or was deleted before it started. */
export function collectGarbage(pass: Slice<NodesDraft & StatusDraft & RequestsDraft>): void {
  const { garbage: seen, config } = pass.facts;
  if (config.artifactGc === false || !isKeptForGarbage(pass.draft.workflow) || !seen) return;
  const spec = provenSpec(pass);
  if (!spec) return;
  if (isNamespaceGoing(pass)) {
    pass.draft.note("artifacts stay: the namespace is being deleted, and nothing can be made in it");
    return removeGarbageFinalizer(pass);
  }
  for (const strategy of dueStrategies(pass, spec)) collectBy(pass, seen, spec, strategy);
  if (!mayGo(pass, spec)) return;
  if (findGarbage(pass, spec).length === 0) forgetProblem(pass);
  removeGarbageFinalizer(pass);
}

/** The strategies that are due: at the end of the workflow, and when it is deleted, each once. */
function dueStrategies(pass: Slice<StatusDraft>, spec: WorkflowSpec): DeletionStrategy[] {
  const due: DeletionStrategy[] = isBeingDeleted(pass)
    ? ["OnWorkflowCompletion", "OnWorkflowDeletion"]
    : ["OnWorkflowCompletion"];
  return due.filter((strategy) => !isProcessed(pass, spec, strategy));
}

function collectBy(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  seen: GarbageFacts,
  spec: WorkflowSpec,
  strategy: DeletionStrategy,
): void {
  // Artifacts that could not be deleted at the end of the workflow are tried again when it is deleted.
  const isLate = strategy === "OnWorkflowDeletion" && isProcessed(pass, spec, "OnWorkflowCompletion");
  const now = findGarbage(pass, spec).filter((garbage) => garbage.strategy === strategy || isLate);
  const groups = groupsOf(pass.name, strategy, now);
  const isOver = groups.map((group) => collectGroup(pass, seen, spec, group)).every((over) => over);
  if (!isOver) return;
  const status = pass.draft.workflow.status?.artifactGCStatus;
  pass.draft.setStatus({
    artifactGCStatus: { ...status, strategiesProcessed: { ...status?.strategiesProcessed, [strategy]: true } },
  });
}

/** Whether the workflow is removed even if its artifacts cannot be deleted. As in Argo, each group then has one attempt. */
function isForced(spec: WorkflowSpec): boolean {
  return spec.artifactGC?.forceFinalizerRemoval === true;
}

/** Continues with a group. Returns true if nothing is left to do for it. */
function collectGroup(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  seen: GarbageFacts,
  spec: WorkflowSpec,
  group: GarbageGroup,
): boolean {
  let before: Pod | undefined;
  const names = attemptNames(group);
  for (const name of isForced(spec) ? names.slice(0, 1) : names) {
    const told = isRecouped(pass, name);
    if (told === undefined) {
      const over = attempt(pass, seen, spec, group, name, before);
      if (over !== "failed") return over;
    } else if (told) return true;
    before = seen.pods.get(name);
  }
  return true;
}

/** Starts an attempt, or handles its result. `failed` means that the next attempt is due. */
function attempt(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  seen: GarbageFacts,
  spec: WorkflowSpec,
  group: GarbageGroup,
  name: string,
  before: Pod | undefined,
): boolean | "failed" {
  const pod = seen.pods.get(name);
  const vanished = seen.vanished.get(name);
  if (!pod && vanished && isOfRound(vanished, pass.draft.workflow)) {
    pass.draft.note(`the pod ${name}, which deletes artifacts, is gone`);
    recoup(pass, name, false);
    return "failed";
  }
  if (!pod || !isOfRound(pod, pass.draft.workflow)) {
    return make(pass, spec, group, name, before) === "impossible" && isForced(spec);
  }
  if (!hasEnded(pod)) return false;
  const report = seen.reports.get(name);
  if (!report || report.podUid !== pod.metadata.uid) {
    pass.draft.ask({ kind: "readCollector", podName: name, podUid: pod.metadata.uid });
    return false;
  }
  collectReport(pass, group, pod, report, { isLast: isForced(spec) });
  return isRecouped(pass, name) ? true : "failed";
}

/** Requests the pod of an attempt. `impossible` means that it cannot be built, or was refused by the API server. */
function make(
  pass: Slice<StatusDraft & RequestsDraft>,
  spec: WorkflowSpec,
  group: GarbageGroup,
  name: string,
  before: Pod | undefined,
): "impossible" | undefined {
  const earliest = before ? lastEnd(before) + ATTEMPT_AFTER_MILLIS : 0;
  if (pass.facts.now.getTime() < earliest) {
    pass.requestPassAt(earliest);
    return undefined;
  }
  const refusal = pass.facts.refusals.get(refusalKey(name));
  if (refusal) announceProblem(pass, `pod ${name} could not be made: ${refusal.message}`);
  if (refusal?.isByRule && isForced(spec)) return "impossible";
  const collector = collectorOf(pass, spec, group, name);
  if (!collector.ok && collector.unknownImage && isAskedFor(pass, collector.unknownImage)) return undefined;
  if (!collector.ok) {
    announceProblem(pass, `pod ${name} could not be made: ${collector.message}`);
    return "impossible";
  }
  pass.draft.ask({ kind: "makeCollector", tasks: collector.tasks, pod: collector.pod });
  return undefined;
}

/** Requests the command of a plugin's image from its registry, if it may still become known. */
function isAskedFor(pass: Slice<RequestsDraft>, unknown: UnknownImage): boolean {
  const { config, images, now } = pass.facts;
  const answer = images?.get(imageKey(unknown));
  if (!config.looksUpImages || (answer && ("command" in answer || !answer.transient))) return false;
  pass.draft.ask({ kind: "lookUpImage", unknown });
  pass.requestPassAt(now.getTime() + IMAGE_RETRY_MILLIS);
  return true;
}

/** Reports whether the workflow may be removed: all its garbage is deleted, or its author no longer waits for that. */
function mayGo(pass: Slice<StatusDraft>, spec: WorkflowSpec): boolean {
  const left = findGarbage(pass, spec);
  if (left.length === 0) return true;
  if (!spec.artifactGC?.forceFinalizerRemoval) return false;
  const deleted = millisOf(pass.draft.workflow.metadata.deletionTimestamp);
  if (Number.isNaN(deleted)) {
    return isProcessed(pass, spec, "OnWorkflowCompletion") &&
      left.every(({ strategy }) => strategy === "OnWorkflowCompletion");
  }
  if (dueStrategies(pass, spec).length === 0 || pass.facts.now.getTime() >= deleted + FORCED_AFTER_MILLIS) return true;
  pass.requestPassAt(deleted + FORCED_AFTER_MILLIS);
  return false;
}

/**
 * Returns the spec that determines the account. Users who may edit a workflow may also edit the spec in its status, so if workflows
 * are restricted it is verified again.
 */
function provenSpec(pass: Slice<StatusDraft & RequestsDraft>): WorkflowSpec | undefined {
  const { config } = pass.facts;
  const { status, spec } = pass.draft.workflow;
  if (config.templateReferencing === undefined) {
    return status?.storedWorkflowTemplateSpec ?? mergeSpecs(spec, undefined, config.workflowDefaults?.spec);
  }
  try {
    const proven = settledSpec(pass);
    pass.draft.settleSpec(proven);
    // A stored repository whose seal is invalid is determined again.
    return settleRepository(pass) ? proven : undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    announceProblem(pass, `artifacts are not deleted: ${error.message}`);
    pass.requestPassAt(pass.facts.now.getTime() + SPEC_RETRY_MILLIS);
    return undefined;
  }
}

/** The key of a pod's refusal among the refusals of the API server. */
export function refusalKey(podName: string): string {
  return `garbage/${podName}`;
}

/** Reports whether the workflow is being deleted, and only finalizers keep it. */
export function isBeingDeleted({ facts }: Slice): boolean {
  return facts.before.metadata.deletionTimestamp !== undefined;
}

/** Reports whether the namespace is being deleted: it waits for its workflows, and no pod can be created in it. */
function isNamespaceGoing({ facts: { refusals } }: Slice): boolean {
  return [...refusals].some(([key, refusal]) => refusal.isNamespaceGoing && key.startsWith(refusalKey("")));
}

/**
 * Reports whether nothing is left to do for a strategy. Argo's controller records a strategy as processed when it has
 * created the pods, so after a takeover their reports may still be missing.
 */
function isProcessed(pass: Slice<StatusDraft>, spec: WorkflowSpec, strategy: DeletionStrategy): boolean {
  if (pass.draft.workflow.status?.artifactGCStatus?.strategiesProcessed?.[strategy] !== true) return false;
  if (isForced(spec)) return true;
  const left = findGarbage(pass, spec).filter((garbage) => garbage.strategy === strategy);
  const hasReport = (name: string) => isRecouped(pass, name) !== undefined;
  return groupsOf(pass.name, strategy, left).every((group) => attemptNames(group).some(hasReport));
}

/** Whether the report of a pod was complete; undefined if it may still report. */
function isRecouped({ draft }: Slice, podName: string): boolean | undefined {
  return draft.workflow.status?.artifactGCStatus?.podsRecouped?.[podName];
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** When the last container of a pod ended, in milliseconds since the epoch; 0 if unknown. */
function lastEnd({ status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => millisOf(state?.terminated?.finishedAt));
  return Math.max(0, ...ends.filter((end) => !Number.isNaN(end)));
}

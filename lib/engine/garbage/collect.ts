/**
 * Decides about the collection of garbage. For each strategy that is due, and each account that deletes, there must be
 * a pod with tasks. The report of a completed pod is recorded in the status. When nothing is left, the finalizer of the
 * workflow is removed.
 */
import type { Pod, WorkflowSpec } from "@tiphys/model/api";
import type { DeletionStrategy } from "@tiphys/model/artifact_garbage";
import { isCompletedPhase, millisOf } from "@tiphys/model/status";
import type { UnknownImage } from "../pod/mod.ts";
import { UserError } from "@tiphys/base/user_error";
import { chooseRepository } from "../spec/artifact_repository.ts";
import { mergeSpecs } from "../spec/effective_spec.ts";
import { specToRun } from "../spec/restricted_spec.ts";
import { imageKey } from "../templates/image_commands.ts";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import type { GarbageFacts } from "../types.ts";
import { attemptNames, belongsToRound, buildCollector, type GarbageGroup, groupsOf } from "./collector.ts";
import { findGarbage } from "./find_garbage.ts";
import { hasGarbageFinalizer, removeGarbageFinalizer } from "./finalizer.ts";
import { clearProblem, recordRecouped, recordReport, reportProblem } from "./collect_report.ts";

/** The delay between the end of a failed pod and the next attempt, in milliseconds. */
const ATTEMPT_DELAY_MILLIS = 10_000;
/**
 * The maximum time that a deleted workflow waits for its artifacts if `forceFinalizerRemoval` is set, in milliseconds.
 */
const FORCED_AFTER_MILLIS = 3_600_000;
/** The delay before the command of an image is requested from its registry again, in milliseconds. */
const IMAGE_RETRY_MILLIS = 10_000;
/** The delay before the spec with the account is read again after a failure, in milliseconds. */
const SPEC_RETRY_MILLIS = 30_000;

/** Schedules another pass for a workflow that completes in this pass, to collect its garbage. */
export function requestGarbagePass(pass: Slice): void {
  const { workflow } = pass.draft;
  if (!hasGarbageFinalizer(workflow) || !isCompletedPhase(workflow.status?.phase)) return;
  pass.requestPassAt(pass.facts.now.getTime());
}

/** Collects the garbage of a workflow that has completed, or was deleted before it started. */
export function collectGarbage(pass: Slice<NodesDraft & StatusDraft & RequestsDraft>): void {
  const { garbage: garbageFacts, config } = pass.facts;
  if (config.artifactGc === false || !hasGarbageFinalizer(pass.draft.workflow) || !garbageFacts) return;
  const spec = verifiedSpec(pass);
  if (!spec) return;
  if (isNamespaceTerminating(pass)) {
    pass.draft.log("artifacts are kept: the namespace is being deleted, and nothing can be created in it");
    return removeGarbageFinalizer(pass);
  }
  for (const strategy of dueStrategies(pass, spec)) collectForStrategy(pass, garbageFacts, spec, strategy);
  if (!mayRemoveFinalizer(pass, spec)) return;
  if (findGarbage(pass, spec).length === 0) clearProblem(pass);
  removeGarbageFinalizer(pass);
}

/** The strategies that are due: at the end of the workflow, and when it is deleted, each once. */
function dueStrategies(pass: Slice<StatusDraft>, spec: WorkflowSpec): DeletionStrategy[] {
  const due: DeletionStrategy[] = isBeingDeleted(pass)
    ? ["OnWorkflowCompletion", "OnWorkflowDeletion"]
    : ["OnWorkflowCompletion"];
  return due.filter((strategy) => !isProcessed(pass, spec, strategy));
}

function collectForStrategy(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  garbageFacts: GarbageFacts,
  spec: WorkflowSpec,
  strategy: DeletionStrategy,
): void {
  // Artifacts that could not be deleted at the end of the workflow are tried again when it is deleted.
  const includesEarlier = strategy === "OnWorkflowDeletion" && isProcessed(pass, spec, "OnWorkflowCompletion");
  const now = findGarbage(pass, spec).filter((garbage) => garbage.strategy === strategy || includesEarlier);
  const groups = groupsOf(pass.name, strategy, now);
  const areAllDone = groups.map((group) => collectGroup(pass, garbageFacts, spec, group)).every((isDone) => isDone);
  if (!areAllDone) return;
  const status = pass.draft.workflow.status?.artifactGCStatus;
  pass.draft.setStatus({
    artifactGCStatus: { ...status, strategiesProcessed: { ...status?.strategiesProcessed, [strategy]: true } },
  });
}

/**
 * Whether the workflow is removed even if its artifacts cannot be deleted. As in Argo, each group then has one attempt.
 */
function isForced(spec: WorkflowSpec): boolean {
  return spec.artifactGC?.forceFinalizerRemoval === true;
}

/** Continues with a group. Returns true if nothing is left to do for it. */
function collectGroup(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  garbageFacts: GarbageFacts,
  spec: WorkflowSpec,
  group: GarbageGroup,
): boolean {
  let previousPod: Pod | undefined;
  const names = attemptNames(group);
  for (const name of isForced(spec) ? names.slice(0, 1) : names) {
    const wasComplete = isReportComplete(pass, name);
    if (wasComplete === undefined) {
      const result = runAttempt(pass, garbageFacts, spec, group, name, previousPod);
      if (result !== "failed") return result;
    } else if (wasComplete) return true;
    previousPod = garbageFacts.pods.get(name);
  }
  return true;
}

/** Starts an attempt, or handles its result. `failed` means that the next attempt is due. */
function runAttempt(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  garbageFacts: GarbageFacts,
  spec: WorkflowSpec,
  group: GarbageGroup,
  name: string,
  previousPod: Pod | undefined,
): boolean | "failed" {
  const pod = garbageFacts.pods.get(name);
  const vanished = garbageFacts.vanished.get(name);
  if (!pod && vanished && belongsToRound(vanished, pass.draft.workflow)) {
    pass.draft.log(`the pod ${name}, which deletes artifacts, is gone`);
    recordRecouped(pass, name, false);
    return "failed";
  }
  if (!pod || !belongsToRound(pod, pass.draft.workflow)) {
    return requestCollector(pass, spec, group, name, previousPod) === "impossible" && isForced(spec);
  }
  if (!hasEnded(pod)) return false;
  const report = garbageFacts.reports.get(name);
  if (!report || report.podUid !== pod.metadata.uid) {
    pass.draft.request({ kind: "readCollector", podName: name, podUid: pod.metadata.uid });
    return false;
  }
  recordReport(pass, group, pod, report, { isLast: isForced(spec) });
  return isReportComplete(pass, name) ? true : "failed";
}

/** Requests the pod of an attempt. `impossible` means that it cannot be built, or was refused by the API server. */
function requestCollector(
  pass: Slice<StatusDraft & RequestsDraft>,
  spec: WorkflowSpec,
  group: GarbageGroup,
  name: string,
  previousPod: Pod | undefined,
): "impossible" | undefined {
  const earliest = previousPod ? lastEnd(previousPod) + ATTEMPT_DELAY_MILLIS : 0;
  if (pass.facts.now.getTime() < earliest) {
    pass.requestPassAt(earliest);
    return undefined;
  }
  const refusal = pass.facts.refusals.get(garbageRefusalKey(name));
  if (refusal) reportProblem(pass, `pod ${name} could not be created: ${refusal.message}`);
  if (refusal?.isDenied && isForced(spec)) return "impossible";
  const collector = buildCollector(pass, spec, group, name);
  if (!collector.ok && collector.unknownImage && requestsImageCommand(pass, collector.unknownImage)) return undefined;
  if (!collector.ok) {
    reportProblem(pass, `pod ${name} could not be created: ${collector.message}`);
    return "impossible";
  }
  pass.draft.request({ kind: "createCollector", tasks: collector.tasks, pod: collector.pod });
  return undefined;
}

/** Requests the command of a plugin's image from its registry, if it may still become known. */
function requestsImageCommand(pass: Slice<RequestsDraft>, unknown: UnknownImage): boolean {
  const { config, images, now } = pass.facts;
  const result = images?.get(imageKey(unknown));
  if (!config.looksUpImages || (result && ("command" in result || !result.transient))) return false;
  pass.draft.request({ kind: "lookUpImage", unknown });
  pass.requestPassAt(now.getTime() + IMAGE_RETRY_MILLIS);
  return true;
}

/** Reports whether the workflow may be removed: all its garbage is deleted, or its author no longer waits for that. */
function mayRemoveFinalizer(pass: Slice<StatusDraft>, spec: WorkflowSpec): boolean {
  const remaining = findGarbage(pass, spec);
  if (remaining.length === 0) return true;
  if (!spec.artifactGC?.forceFinalizerRemoval) return false;
  const deleted = millisOf(pass.draft.workflow.metadata.deletionTimestamp);
  if (Number.isNaN(deleted)) {
    return isProcessed(pass, spec, "OnWorkflowCompletion") &&
      remaining.every(({ strategy }) => strategy === "OnWorkflowCompletion");
  }
  if (dueStrategies(pass, spec).length === 0 || pass.facts.now.getTime() >= deleted + FORCED_AFTER_MILLIS) return true;
  pass.requestPassAt(deleted + FORCED_AFTER_MILLIS);
  return false;
}

/**
 * Returns the spec that determines the account. Users who may edit a workflow may also edit the spec in its status, so
 * if workflows are restricted it is verified again.
 */
function verifiedSpec(pass: Slice<StatusDraft & RequestsDraft>): WorkflowSpec | undefined {
  const { config } = pass.facts;
  const { status, spec } = pass.draft.workflow;
  if (config.templateReferencing === undefined) {
    return status?.storedWorkflowTemplateSpec ?? mergeSpecs(spec, undefined, config.workflowDefaults?.spec);
  }
  try {
    const verified = specToRun(pass);
    pass.draft.setSpec(verified);
    // A stored repository whose seal is invalid is determined again.
    return chooseRepository(pass) ? verified : undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    reportProblem(pass, `artifacts are not deleted: ${error.message}`);
    pass.requestPassAt(pass.facts.now.getTime() + SPEC_RETRY_MILLIS);
    return undefined;
  }
}

/** The key of a pod's refusal among the refusals of the API server. */
export function garbageRefusalKey(podName: string): string {
  return `garbage/${podName}`;
}

/** Reports whether the workflow is being deleted, and only finalizers keep it. */
export function isBeingDeleted({ facts }: Slice): boolean {
  return facts.before.metadata.deletionTimestamp !== undefined;
}

/** Reports whether the namespace is being deleted: it waits for its workflows, and no pod can be created in it. */
function isNamespaceTerminating({ facts: { refusals } }: Slice): boolean {
  return [...refusals].some(([key, refusal]) =>
    refusal.isNamespaceTerminating && key.startsWith(garbageRefusalKey(""))
  );
}

/**
 * Reports whether nothing is left to do for a strategy. Argo's controller records a strategy as processed when it has
 * created the pods, so after a takeover their reports may still be missing.
 */
function isProcessed(pass: Slice<StatusDraft>, spec: WorkflowSpec, strategy: DeletionStrategy): boolean {
  if (pass.draft.workflow.status?.artifactGCStatus?.strategiesProcessed?.[strategy] !== true) return false;
  if (isForced(spec)) return true;
  const remaining = findGarbage(pass, spec).filter((garbage) => garbage.strategy === strategy);
  const hasReport = (name: string) => isReportComplete(pass, name) !== undefined;
  return groupsOf(pass.name, strategy, remaining).every((group) => attemptNames(group).some(hasReport));
}

/** Whether the report of a pod was complete; undefined if it may still report. */
function isReportComplete({ draft }: Slice, podName: string): boolean | undefined {
  return draft.workflow.status?.artifactGCStatus?.podsRecouped?.[podName];
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** The time at which the last container of a pod ended, in milliseconds since the epoch; 0 if unknown. */
function lastEnd({ status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => millisOf(state?.terminated?.finishedAt));
  return Math.max(0, ...ends.filter((end) => !Number.isNaN(end)));
}

/**
 * The collection of garbage, decided from facts. For each strategy whose time has come, and each account that
 * deletes, there is to be a pod with its tasks; the report of a pod that ended goes into the status; when nothing is left
 * the workflow is let go.
 */
import type { Pod, WorkflowSpec } from "@tiphys/model/api";
import type { Deleting } from "@tiphys/model/artifact_garbage";
import { isCompletedPhase, millisOf } from "@tiphys/model/status";
import type { UnknownImage } from "../pod/mod.ts";
import { UserError } from "@tiphys/base/user_error";
import { settleRepository } from "../spec/artifact_repository.ts";
import { mergeSpecs } from "../spec/effective_spec.ts";
import { settledSpec } from "../spec/restricted_spec.ts";
import { imageKey } from "../templates/image_commands.ts";
import type { Pass } from "../pass.ts";
import type { GarbageFacts } from "../types.ts";
import { attemptNames, collectorOf, type GarbageGroup, groupsOf, isOfRound, roundOf } from "./collector.ts";
import { findGarbage } from "./find_garbage.ts";
import { isKeptForGarbage, letGo } from "./finalizer.ts";
import { announceProblem, forgetProblem, recoup, takeReport } from "./take_report.ts";

/** The delay in milliseconds between the end of a pod that failed and the next attempt. */
const ATTEMPT_AFTER_MILLIS = 10_000;
/**
 * The most milliseconds for which a deleted workflow is kept for its artifacts where `forceFinalizerRemoval` is set.
 */
const FORCED_AFTER_MILLIS = 3_600_000;
/** The delay in milliseconds before a registry is asked again for the command of an image. */
const IMAGE_RETRY_MILLIS = 10_000;
/** The delay in milliseconds before another try to get the spec that names the account, when it could not be had. */
const SPEC_RETRY_MILLIS = 30_000;

/** Has a workflow that ends in this pass looked at again, for its garbage. */
export function awaitGarbage(pass: Pass): void {
  const { workflow } = pass.draft;
  if (!isKeptForGarbage(workflow) || !isCompletedPhase(workflow.status?.phase)) return;
  pass.comeBackAt(pass.facts.now.getTime());
}

/** Collects the garbage of a workflow that is over, or that is deleted before it began. */
export function collectGarbage(pass: Pass): void {
  const { garbage: seen, config } = pass.facts;
  if (config.artifactGc === false || !isKeptForGarbage(pass.draft.workflow) || !seen) return;
  const spec = provenSpec(pass);
  if (!spec) return;
  if (isNamespaceGoing(pass)) {
    pass.draft.note("artifacts stay: the namespace is being deleted, and nothing can be made in it");
    return letGo(pass);
  }
  for (const strategy of dueStrategies(pass)) collectBy(pass, seen, spec, strategy);
  if (!mayGo(pass, spec)) return;
  if (findGarbage(pass, spec).length === 0) forgetProblem(pass);
  letGo(pass);
}

/** The finalizer does its work once: at the end of the workflow, and when it is deleted. */
function dueStrategies(pass: Pass): Deleting[] {
  const due: Deleting[] = isBeingDeleted(pass)
    ? ["OnWorkflowCompletion", "OnWorkflowDeletion"]
    : ["OnWorkflowCompletion"];
  return due.filter((strategy) => !isProcessed(pass, strategy));
}

function collectBy(pass: Pass, seen: GarbageFacts, spec: WorkflowSpec, strategy: Deleting): void {
  // Artifacts that could not be deleted when the workflow ended are tried again when it is deleted.
  const isLate = strategy === "OnWorkflowDeletion" && isProcessed(pass, "OnWorkflowCompletion");
  const now = findGarbage(pass, spec).filter((garbage) => garbage.strategy === strategy || isLate);
  const groups = groupsOf(pass.name, strategy, now);
  const isOver = groups.map((group) => collectGroup(pass, seen, spec, group)).every((over) => over);
  if (!isOver) return;
  const status = pass.draft.workflow.status?.artifactGCStatus;
  pass.draft.setStatus({
    artifactGCStatus: { ...status, strategiesProcessed: { ...status?.strategiesProcessed, [strategy]: true } },
  });
}

/** Whether the workflow goes although its artifacts could not be deleted: then each group has one attempt, as in Argo. */
function isForced(spec: WorkflowSpec): boolean {
  return spec.artifactGC?.forceFinalizerRemoval === true;
}

/** Continues with a group; returns true when nothing more is done about it. */
function collectGroup(pass: Pass, seen: GarbageFacts, spec: WorkflowSpec, group: GarbageGroup): boolean {
  let before: Pod | undefined;
  const names = attemptNames(group);
  for (const name of isForced(spec) ? names.slice(0, 1) : names) {
    const told = recouped(pass, name);
    if (told === undefined) {
      const over = attempt(pass, seen, spec, group, name, before);
      if (over !== "failed") return over;
    } else if (told) return true;
    before = seen.pods.get(name);
  }
  return true;
}

/** Makes an attempt, or takes what came of it. `failed`: the next one is due. */
function attempt(
  pass: Pass,
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
    const round = roundOf(pass.draft.workflow);
    pass.draft.ask({ kind: "readCollector", podName: name, podUid: pod.metadata.uid, round });
    return false;
  }
  takeReport(pass, group, pod, report, { isLast: isForced(spec) });
  return recouped(pass, name) ? true : "failed";
}

/** Asks for the pod of an attempt. `impossible`: the pod cannot be built, or the API server refused it. */
function make(
  pass: Pass,
  spec: WorkflowSpec,
  group: GarbageGroup,
  name: string,
  before: Pod | undefined,
): "impossible" | undefined {
  const earliest = before ? lastEnd(before) + ATTEMPT_AFTER_MILLIS : 0;
  if (pass.facts.now.getTime() < earliest) {
    pass.comeBackAt(earliest);
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

/** Whether a registry is asked for the command of a plugin's image: it may not be known any more. */
function isAskedFor(pass: Pass, unknown: UnknownImage): boolean {
  const { config, images, now } = pass.facts;
  const answer = images?.get(imageKey(unknown));
  if (!config.looksUpImages || (answer && ("command" in answer || !answer.transient))) return false;
  pass.draft.ask({ kind: "lookUpImage", unknown });
  pass.comeBackAt(now.getTime() + IMAGE_RETRY_MILLIS);
  return true;
}

/** Whether the workflow may go: all its garbage is deleted, or its author does not want to wait for that any longer. */
function mayGo(pass: Pass, spec: WorkflowSpec): boolean {
  const left = findGarbage(pass, spec);
  if (left.length === 0) return true;
  if (!spec.artifactGC?.forceFinalizerRemoval) return false;
  const deleted = millisOf(pass.draft.workflow.metadata.deletionTimestamp);
  if (Number.isNaN(deleted)) {
    return isProcessed(pass, "OnWorkflowCompletion") &&
      left.every(({ strategy }) => strategy === "OnWorkflowCompletion");
  }
  if (dueStrategies(pass).length === 0 || pass.facts.now.getTime() >= deleted + FORCED_AFTER_MILLIS) return true;
  pass.comeBackAt(deleted + FORCED_AFTER_MILLIS);
  return false;
}

/**
 * The spec that says who deletes. Anybody who may edit a workflow may edit what its status stores, so where workflows are
 * restricted it is proven anew.
 */
function provenSpec(pass: Pass): WorkflowSpec | undefined {
  const { config } = pass.facts;
  const { status, spec } = pass.draft.workflow;
  if (config.templateReferencing === undefined) {
    return status?.storedWorkflowTemplateSpec ?? mergeSpecs(spec, undefined, config.workflowDefaults?.spec);
  }
  try {
    const proven = settledSpec(pass);
    pass.draft.settleSpec(proven);
    // A stored repository whose seal cannot be proved any more is chosen anew.
    return settleRepository(pass) ? proven : undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    announceProblem(pass, `artifacts are not deleted: ${error.message}`);
    pass.comeBackAt(pass.facts.now.getTime() + SPEC_RETRY_MILLIS);
    return undefined;
  }
}

/** The key under which the API server's refusal of a pod is kept among the refusals. */
export function refusalKey(podName: string): string {
  return `garbage/${podName}`;
}

/** Whether the workflow is deleted, and kept by finalizers only. */
export function isBeingDeleted({ facts }: Pass): boolean {
  return facts.before.metadata.deletionTimestamp !== undefined;
}

/** A namespace that is being deleted waits for its workflows, and lets no pod be made. */
function isNamespaceGoing({ facts: { refusals } }: Pass): boolean {
  return [...refusals].some(([key, refusal]) => refusal.isNamespaceGoing && key.startsWith(refusalKey("")));
}

function isProcessed({ draft }: Pass, strategy: Deleting): boolean {
  return draft.workflow.status?.artifactGCStatus?.strategiesProcessed?.[strategy] === true;
}

/** Whether a pod told all it had to; undefined while it may tell. */
function recouped({ draft }: Pass, podName: string): boolean | undefined {
  return draft.workflow.status?.artifactGCStatus?.podsRecouped?.[podName];
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/**
 * The moment at which the last of a pod's containers ended, in milliseconds since 1970; 0 where the pod does not say.
 */
function lastEnd({ status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => millisOf(state?.terminated?.finishedAt));
  return Math.max(0, ...ends.filter((end) => !Number.isNaN(end)));
}

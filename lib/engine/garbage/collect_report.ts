/** Records the report of a pod that deletes artifacts in the status: deleted artifacts, and errors. */
import type { Pod } from "@tiphys/model/api";
import { shortened } from "@tiphys/base/limits";
import { setCondition } from "../workflow/conditions.ts";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import type { GarbageReport, GarbageTaskReport } from "../types.ts";
import type { GarbageGroup } from "./collector.ts";

/** Records the report of a completed pod. For the last attempt, an incomplete report also counts as recouped. */
export function recordReport(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  group: GarbageGroup,
  pod: Pod,
  report: GarbageReport,
  { isLast }: { readonly isLast: boolean },
): void {
  const podName = pod.metadata.name!;
  markDeleted(pass, report);
  const hasAllArtifacts = isComplete(group, report);
  recordRecouped(pass, podName, hasAllArtifacts || isLast);
  if (!hasAllArtifacts) {
    reportProblem(
      pass,
      `Artifact Garbage Collection failed for strategy ${group.strategy}, pod ${podName} exited with non-zero exit ` +
        `code: check pod logs for more information`,
    );
  }
  const failed = report.tasks.flatMap(({ name, results }) =>
    results.flatMap(({ error }) => error === undefined ? [] : [{ task: name, error }])
  );
  const [first] = failed;
  if (first) {
    setCondition(pass, "ArtifactGCError", "True", shortened(`${first.error} (artifactGCTask: ${first.task})`));
    const message = shortened(
      `Artifact Garbage Collection failed for strategy ${group.strategy}, err:${first.error}`,
    );
    pass.draft.request({ kind: "event", type: "Warning", reason: "ArtifactGCFailed", message });
  }
  const done = report.tasks.filter(hasSucceeded).map(({ name, uid }) => ({ name, uid }));
  if (hasAllArtifacts && done.length) pass.draft.request({ kind: "deleteGarbageTasks", podName, tasks: done });
}

/**
 * Reports whether the report contains every artifact of the group. Artifacts that joined the group after the pod was
 * created, because they could not be deleted earlier, are not expected in it.
 */
function isComplete({ garbage, strategy }: GarbageGroup, { tasks }: GarbageReport): boolean {
  if (tasks.some(({ artifacts, results }) => results.length < artifacts)) return false;
  const reported = new Set(tasks.flatMap(({ results }) => results.map(keyOfResult)));
  return garbage.filter((artifact) => artifact.strategy === strategy)
    .every(({ nodeId, artifact }) => reported.has(keyOfResult({ nodeId, artifact: artifact.name })));
}

/** Records that a pod has reported. If the report is not complete, there will be another attempt. */
export function recordRecouped(pass: Slice<StatusDraft>, podName: string, isComplete: boolean): void {
  const status = pass.draft.workflow.status?.artifactGCStatus;
  pass.draft.setStatus({
    artifactGCStatus: { ...status, podsRecouped: { ...status?.podsRecouped, [podName]: isComplete } },
  });
}

/** Reports a problem as a condition, and as an event the first time. */
export function reportProblem(pass: Slice<StatusDraft & RequestsDraft>, problem: string): void {
  const message = shortened(problem);
  const before = pass.draft.workflow.status?.conditions?.find(({ type }) => type === "ArtifactGCError");
  if (before?.message === message && before.status === "True") return;
  setCondition(pass, "ArtifactGCError", "True", message);
  pass.draft.request({ kind: "event", type: "Warning", reason: "ArtifactGCFailed", message });
}

/** Clears the condition when all garbage is deleted. */
export function clearProblem(pass: Slice<StatusDraft>): void {
  const before = pass.draft.workflow.status?.conditions?.find(({ type }) => type === "ArtifactGCError");
  if (before) setCondition(pass, "ArtifactGCError", "False");
}

function markDeleted(pass: Slice<NodesDraft>, { tasks }: GarbageReport): void {
  const results = tasks.flatMap(({ results }) => results);
  for (const [nodeId, some] of Map.groupBy(results, ({ nodeId }) => nodeId)) {
    const node = pass.draft.nodes.get(nodeId);
    if (!node?.outputs?.artifacts) continue;
    const deletedNames = new Set(some.filter(({ error }) => error === undefined).map(({ artifact }) => artifact));
    const artifacts = node.outputs.artifacts.map((artifact) =>
      deletedNames.has(artifact.name) && !artifact.deleted ? { ...artifact, deleted: true } : artifact
    );
    pass.draft.update(nodeId, { outputs: { ...node.outputs, artifacts } });
  }
}

function hasSucceeded({ artifacts, results }: GarbageTaskReport): boolean {
  return results.length >= artifacts && results.every(({ error }) => error === undefined);
}

function keyOfResult({ nodeId, artifact }: { readonly nodeId: string; readonly artifact: string }): string {
  return `${nodeId}/${artifact}`;
}

/**
 * The tasks and the pod that delete garbage of a workflow: one pod for each combination of account, labels and
 * annotations.
 */
import type { ArtifactLocation, Pod, Workflow, WorkflowArtifactGCTask, WorkflowSpec } from "@tiphys/model/api";
import type { DeletionStrategy } from "@tiphys/model/artifact_garbage";
import { LocationError, relocate } from "@tiphys/model/artifact/location";
import { ANNOTATION, API_VERSION, LABEL } from "@tiphys/base/constants";
import { fnv1a32 } from "@tiphys/base/go/hash";
import { LIMITS } from "@tiphys/base/limits";
import { millisOf } from "@tiphys/model/status";
import { buildGarbagePod, garbageLabel, type UnknownImage } from "../pod/mod.ts";
import type { Slice, StatusDraft } from "../slice.ts";
import { withImageCommands } from "../templates/image_commands.ts";
import { archiveLocationOfNode, type Garbage } from "./find_garbage.ts";
import { accessText, type CollectorAccess } from "./strategy.ts";

/** The garbage that one pod deletes. */
export interface GarbageGroup {
  readonly strategy: DeletionStrategy;
  /** The name of the first attempt's pod. */
  readonly name: string;
  readonly access: CollectorAccess;
  readonly garbage: readonly Garbage[];
}

/** The maximum number of attempts per group, if pods end without a complete report. */
export const MAX_ATTEMPTS = 3;

const SHORT_STRATEGY_NAMES = { OnWorkflowCompletion: "wfcomp", OnWorkflowDeletion: "wfdel" } as const;

/** Groups garbage by the account, labels and annotations of its pod. */
export function groupsOf(workflow: string, strategy: DeletionStrategy, garbage: readonly Garbage[]): GarbageGroup[] {
  const groups = Map.groupBy(garbage, ({ access }) => accessText(access));
  return [...groups].map(([text, some]) => ({
    strategy,
    name: `${workflow}-artgc-${SHORT_STRATEGY_NAMES[strategy]}-${fnv1a32(text)}`,
    access: some[0]!.access,
    garbage: some,
  }));
}

/** The names of the pods of a group's attempts. */
export function attemptNames({ name }: GarbageGroup): string[] {
  return Array.from({ length: MAX_ATTEMPTS }, (_, index) => index === 0 ? name : `${name}-r${index}`);
}

/** Identifies the workflow and one of its completions: a retried workflow has several. */
export function roundOf({ metadata, status }: Workflow): string {
  return `${metadata.uid} ${status?.finishedAt ?? ""}`;
}

/** The tasks and the pod that delete a group, or a message why they cannot be created. */
export type CollectorBuild =
  | { readonly ok: true; readonly tasks: readonly WorkflowArtifactGCTask[]; readonly pod: Pod }
  | { readonly ok: false; readonly message: string; readonly unknownImage?: UnknownImage };

/** The tasks, each of a bounded size, and their pod, which has no owner references yet. */
export function buildCollector(
  pass: Slice<StatusDraft>,
  spec: WorkflowSpec,
  group: GarbageGroup,
  podName: string,
): CollectorBuild {
  const { workflow } = pass.draft;
  const { legacyLayoutReason } = pass.facts.config;
  const account = group.access.serviceAccountName || spec.serviceAccountName || "default";
  const archives = new Map<string, ArtifactLocation | undefined>();
  for (const { nodeId } of group.garbage) {
    if (!archives.has(nodeId)) archives.set(nodeId, archiveLocationOfNode(pass, pass.draft.nodes.get(nodeId)!));
  }
  const built = buildGarbagePod({
    workflow: {
      name: workflow.metadata.name!,
      namespace: workflow.metadata.namespace!,
      uid: workflow.metadata.uid!,
    },
    spec,
    podName,
    strategy: group.strategy,
    round: roundOf(workflow),
    serviceAccountName: group.access.serviceAccountName,
    metadata: group.access.metadata,
    podSpecPatch: spec.artifactGC?.podSpecPatch,
    locations: completeLocations(group.garbage, archives),
    config: withImageCommands(pass, account),
    isLegacy: legacyLayoutReason !== undefined,
  });
  if (!built.ok) return built;
  return { ok: true, tasks: tasksOf(workflow, podName, group.garbage, archives), pod: built.pod };
}

/**
 * The complete locations of the artifacts without duplicates. Artifacts without a location are omitted; the pod reports
 * them.
 */
function completeLocations(
  garbage: readonly Garbage[],
  archives: ReadonlyMap<string, ArtifactLocation | undefined>,
): ArtifactLocation[] {
  const known = new Map<string, ArtifactLocation>();
  for (const { nodeId, artifact } of garbage) {
    try {
      const { name: _name, path: _path, ...location } = relocate(artifact, archives.get(nodeId));
      known.set(JSON.stringify(location), location);
    } catch (error) {
      if (!(error instanceof LocationError)) throw error;
    }
  }
  return [...known.values()];
}

/** Distributes garbage over as many tasks as needed, because objects of Kubernetes have a size limit. */
function tasksOf(
  workflow: Workflow,
  podName: string,
  garbage: readonly Garbage[],
  archives: ReadonlyMap<string, ArtifactLocation | undefined>,
): WorkflowArtifactGCTask[] {
  const tasks: WorkflowArtifactGCTask[] = [];
  let room = 0;
  for (const { nodeId, artifact } of garbage) {
    const archiveLocation = archives.get(nodeId);
    const bytes = bytesOf(artifact) + bytesOf(nodeId);
    const bytesWithLocation = bytes + bytesOf(archiveLocation ?? {});
    const isNewNode = tasks.at(-1)?.spec.artifactsByNode?.[nodeId] === undefined;
    if (tasks.length === 0 || room < (isNewNode ? bytesWithLocation : bytes)) {
      tasks.push(emptyTask(workflow, podName, tasks.length));
      room = LIMITS.garbageTaskBytes;
    }
    const nodes = tasks.at(-1)!.spec.artifactsByNode!;
    const known = nodes[nodeId];
    room -= known ? bytes : bytesWithLocation;
    const node = nodes[nodeId] = known ?? { ...(archiveLocation ? { archiveLocation } : {}), artifacts: {} };
    node.artifacts![artifact.name] = artifact;
  }
  return tasks;
}

function emptyTask(workflow: Workflow, podName: string, index: number): WorkflowArtifactGCTask {
  const { metadata } = workflow;
  return {
    apiVersion: API_VERSION,
    kind: "WorkflowArtifactGCTask",
    metadata: {
      name: `${podName}-${index}`,
      namespace: metadata.namespace!,
      labels: { [LABEL.artifactGcPod]: garbageLabel(podName) },
      annotations: { [ANNOTATION.artifactGcRound]: roundOf(workflow) },
      // With a blocking owner reference, foreground deletion would delete the task before its work is done.
      ownerReferences: [{
        apiVersion: API_VERSION,
        kind: "Workflow",
        name: metadata.name!,
        uid: metadata.uid!,
        controller: true,
      }],
    },
    spec: { artifactsByNode: {} },
  };
}

const encoder = new TextEncoder();

function bytesOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/**
 * Reports whether a pod or task belongs to this completion of this workflow, not to another one of the same name. Those
 * that Argo's controller created have no annotation: they are younger than the completion.
 */
export function belongsToRound(
  { metadata }: { readonly metadata: Pick<Pod["metadata"], "annotations" | "creationTimestamp"> },
  workflow: Workflow,
): boolean {
  const round = metadata.annotations?.[ANNOTATION.artifactGcRound];
  if (round !== undefined) return round === roundOf(workflow);
  return millisOf(metadata.creationTimestamp) >= millisOf(workflow.status?.finishedAt);
}

/**
 * The actions of artifact garbage collection: creation of the pods that delete artifacts, reading of their reports,
 * and cleanup.
 */
import {
  formatFieldError,
  type OwnerReference,
  parseWorkflowArtifactGCTask,
  type Pod,
  readPod,
  type Workflow,
  type WorkflowArtifactGCTask,
} from "@tiphys/model/api";
import { ANNOTATION, API_VERSION, LABEL } from "@tiphys/base/constants";
import {
  classifyError,
  isOwnedBy,
  KubeError,
  type KubeObject,
  PODS,
  type Resource,
  WORKFLOW_ARTIFACT_GC_TASKS,
} from "@tiphys/kube";
import { isRetryable, throwBug } from "@tiphys/kube/errors";
import type { KubeList } from "@tiphys/kube/object";
import { garbageLabel } from "@tiphys/engine/pod";
import type { Action } from "@tiphys/engine";
import { belongsToRound, garbageRefusalKey, type GarbageReport, type GarbageTaskReport } from "@tiphys/engine/garbage";
import type { ActionContext } from "./action_context.ts";
import type { ActionOutcomes, NeedsNextPass } from "./outcomes.ts";

/** The number of tasks that are read at a time: a task may have half a megabyte. */
const MAX_PARALLEL_TASKS = 4;

type MakeAction = Extract<Action, { kind: "createCollector" }>;
type ReadAction = Extract<Action, { kind: "readCollector" }>;
type CollectorCleanup = Extract<Action, { kind: "deleteGarbageTasks" }>;

/**
 * Creates the tasks, then the pod that performs them. Existing objects are a success if they were created for this end
 * of this workflow; objects of an earlier one are deleted first. A refusal becomes a fact, and the request is repeated
 * later.
 */
export async function createCollector(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  { tasks, pod }: MakeAction,
): Promise<NeedsNextPass> {
  const name = pod.metadata.name!;
  try {
    const owners: OwnerReference[] = [];
    for (const task of tasks) {
      const made = await createOrFind(context, WORKFLOW_ARTIFACT_GC_TASKS, workflow, task);
      if (!made) return outcomes.refuse(garbageRefusalKey(name), EARLIER_REFUSAL);
      owners.push(ownerOf(made, owners.length === 0));
    }
    const owned = { ...pod, metadata: { ...pod.metadata, ownerReferences: owners } };
    const met = await createOrFind(context, PODS, workflow, owned);
    const made = met && readPod(met);
    if (!made) return outcomes.refuse(garbageRefusalKey(name), EARLIER_REFUSAL);
    outcomes.collectors.set(name, made);
    outcomes.refusals.delete(garbageRefusalKey(name));
    context.log.info("Created a pod that deletes artifacts", {
      workflow: `${workflow.metadata.namespace}/${workflow.metadata.name}`,
      pod: name,
    });
    return false;
  } catch (error) {
    throwBug(error);
    return outcomes.refuse(garbageRefusalKey(name), {
      message: (error as Error).message,
      transient: isRetryable(error),
      isDenied: classifyError(error) !== "transient",
      ...(isNamespaceTerminating(error) ? { isNamespaceTerminating: true } : {}),
    });
  }
}

/** The kinds of owners of tasks and pods that Argo's controller created. */
const OWNER_KINDS: ReadonlySet<string> = new Set(["Workflow", WORKFLOW_ARTIFACT_GC_TASKS.kind]);

const EARLIER_REFUSAL = {
  message: "the object from an earlier completion of the workflow has not been deleted yet",
  transient: true,
};

function isNamespaceTerminating(error: unknown): boolean {
  const { causes = [] } = error instanceof KubeError ? error.details ?? {} : {};
  return causes.some(({ reason }) => reason === "NamespaceTerminating");
}

/**
 * Creates an object. Returns the existing one if it is of this completion of the workflow; undefined if it is of an
 * earlier one, which is being deleted.
 */
async function createOrFind(
  { client }: ActionContext,
  resource: Resource,
  workflow: Workflow,
  object: Pod | WorkflowArtifactGCTask,
): Promise<KubeObject | undefined> {
  const { namespace, name, labels } = object.metadata;
  try {
    return await client.create(resource, namespace, object);
  } catch (error) {
    if (classifyError(error) !== "alreadyExists") throw error;
  }
  const found = await client.get(resource, namespace, name!);
  const { annotations, deletionTimestamp, ownerReferences = [] } = found.metadata;
  const isAnnotated = annotations?.[ANNOTATION.artifactGcRound] !== undefined;
  const isOurs = isAnnotated || ownerReferences.some(({ kind }) => OWNER_KINDS.has(kind));
  if (isOurs && !deletionTimestamp && belongsToRound(found, workflow)) {
    const id = labels?.[LABEL.instanceId];
    if (id === undefined || found.metadata.labels?.[LABEL.instanceId] === id) return found;
    // Argo's controller does not label these pods, so no watch of an instance shows them.
    return await client.patch(
      resource,
      namespace,
      name!,
      { metadata: { labels: { [LABEL.instanceId]: id } } },
      "merge",
    );
  }
  if (!isAnnotated) {
    throw new Error(`${resource.plural} "${name}" already exists and belongs to another owner`);
  }
  const { uid, resourceVersion } = found.metadata;
  await forgetMissing(client.delete(resource, namespace, name!, { uid, resourceVersion }));
  return undefined;
}

function ownerOf(task: KubeObject, isController: boolean): OwnerReference {
  const { name = "", uid = "" } = task.metadata;
  return {
    apiVersion: API_VERSION,
    kind: WORKFLOW_ARTIFACT_GC_TASKS.kind,
    name,
    uid,
    ...(isController ? { controller: true } : {}),
  };
}

/** Reads the reports in the tasks of a pod that has ended: not from a copy, which may be outdated. */
export async function readCollector(
  { client, log }: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  { podName, podUid }: ReadAction,
): Promise<NeedsNextPass> {
  const { namespace } = workflow.metadata;
  const labelSelector = `${LABEL.artifactGcPod}=${garbageLabel(podName)}`;
  const tasks: GarbageTaskReport[] = [];
  let next: string | undefined;
  do {
    const page: KubeList = await client.list(WORKFLOW_ARTIFACT_GC_TASKS, namespace, {
      labelSelector,
      limit: MAX_PARALLEL_TASKS,
      continue: next,
    });
    next = page.metadata.continue;
    for (const item of page.items) {
      if (!isOwnedBy(item, "Workflow", workflow) || !belongsToRound(item, workflow)) continue;
      const parsed = parseWorkflowArtifactGCTask(item, "lenient");
      if (parsed.ok) tasks.push(reportOf(parsed.value));
      else {log.warn("A task of artifact garbage collection cannot be parsed", {
          errors: parsed.errors.map(formatFieldError).join("; "),
        });}
    }
  } while (next);
  const report: GarbageReport = { podUid, tasks };
  outcomes.collectorReports.set(podName, report);
  return true;
}

function reportOf({ metadata, spec, status }: WorkflowArtifactGCTask): GarbageTaskReport {
  const nodes = Object.values(spec.artifactsByNode ?? {});
  const results = Object.entries(status?.artifactResultsByNode ?? {}).flatMap(([nodeId, { artifactResults = {} }]) =>
    Object.entries(artifactResults).map(([artifact, { success, error }]) => ({
      nodeId,
      artifact,
      error: success ? undefined : error ?? "it was not deleted, and no reason was reported",
    }))
  );
  return {
    name: metadata.name!,
    uid: metadata.uid,
    artifacts: nodes.reduce((sum, { artifacts = {} }) => sum + Object.keys(artifacts).length, 0),
    results,
  };
}

/** Deletes tasks; their pod is deleted with the last of them. */
export async function deleteGarbageTasks(
  { client }: ActionContext,
  { metadata: { namespace } }: Workflow,
  outcomes: ActionOutcomes,
  { podName, tasks }: CollectorCleanup,
): Promise<NeedsNextPass> {
  const inBackground = client.inBackground();
  for (const { name, uid } of tasks) {
    await forgetMissing(inBackground.delete(WORKFLOW_ARTIFACT_GC_TASKS, namespace, name, { uid }));
  }
  outcomes.collectorReports.delete(podName);
  return false;
}

async function forgetMissing(deleted: Promise<void>): Promise<void> {
  try {
    await deleted;
  } catch (error) {
    const sort = classifyError(error);
    if (sort !== "notFound" && sort !== "conflict") throw error;
  }
}

/** Creates the pod of a node, and checks whether the API server stored all of it. */
import { type ConfigMap, type Pod, podProblem, readPod, type Workflow } from "@tiphys/model/api";
import { canonicalJson } from "@tiphys/base/canonical_json";
import { classifyError, CONFIGMAPS, isOwnedBy, PODS } from "@tiphys/kube";
import { isRetryable, throwBug } from "@tiphys/kube/errors";
import { dataOf } from "@tiphys/kube/object_data";
import type { Action } from "@tiphys/engine";
import type { ActionOutcomes, NeedsNextPass } from "./outcomes.ts";
import { type DroppedField, droppedFields, isImageVolumeUnknown } from "./dropped_fields.ts";
import type { ActionContext } from "./action_context.ts";
import { discardPod } from "./release_pod.ts";
import { withDecidedOn, withReportKey } from "./report_key.ts";

type CreatePodAction = Extract<Action, { kind: "createPod" }>;

/**
 * Creates the pod, its ConfigMap first. An existing pod of the same workflow is a success and the same pod: nothing is
 * counted twice. A refusal becomes a fact.
 * @returns whether the next pass should start at once.
 */
export async function createPod(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  decided: CreatePodAction,
): Promise<NeedsNextPass> {
  const action = { ...decided, pod: withReportKey(decided.pod) };
  // From here on the pod counts as present, so a concurrent pass does not request it again.
  const answered = context.ledger.recordPodRequest(action.pod);
  let isNews: NeedsNextPass = true;
  try {
    if (!await context.podRate.mayCreate(workflow, action.nodeId)) return false;
    isNews = await create(context, workflow, outcomes, action);
  } finally {
    if (answered()) isNews = true;
  }
  return isNews;
}

async function create(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  action: CreatePodAction,
): Promise<NeedsNextPass> {
  const { configMap, nodeId } = action;
  const pod = withDecidedOn(action.pod, workflow);
  const namespace = pod.metadata.namespace;
  try {
    const conflict = configMap && await createConfigMap(context, workflow, configMap);
    if (conflict) {
      return outcomes.refuse(nodeId, { message: conflict, transient: false });
    }
    const created = readPod(await context.client.create(PODS, namespace, pod, { fieldValidation: "Strict" }));
    return await acceptPod(context, workflow, outcomes, { ...action, pod }, created);
  } catch (error) {
    throwBug(error);
    const sort = classifyError(error);
    if (sort === "alreadyExists") return await handleNameConflict(context, workflow, outcomes, { ...action, pod });
    if (sort === "invalid" && isImageVolumeUnknown(error as Error)) {
      const dropped: DroppedField = { reason: "ImageVolumeDropped", message: (error as Error).message };
      warn(context, workflow, dropped);
      return buildLegacy(context, outcomes, nodeId, dropped);
    }
    // Errors such as an exceeded quota, a failing server or webhook, or a missing permission are transient; a refusal
    // of the pod itself ends the node.
    return outcomes.refuse(nodeId, { message: (error as Error).message, transient: isRetryable(error) });
  }
}

/**
 * Accepts the created pod for the requested one, unless it cannot run: a pod without its image volume is deleted, and
 * created again in the legacy layout.
 * @returns whether the next pass should start at once.
 */
async function acceptPod(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  { pod, nodeId }: CreatePodAction,
  created: Pod,
): Promise<NeedsNextPass> {
  // A pod that cannot be read ends its node anyway, so missing fields do not matter.
  const dropped = podProblem(created) === undefined ? droppedFields(pod, created) : [];
  for (const field of dropped) warn(context, workflow, field);
  const noVolume = dropped.find(({ reason }) => reason === "ImageVolumeDropped");
  if (noVolume) {
    const goesOn = buildLegacy(context, outcomes, nodeId, noVolume);
    await discardPod(context.client, created);
    return goesOn;
  }
  context.ledger.recordPodWrite(created);
  outcomes.refusals.delete(nodeId);
  return false;
}

/** Builds pods without image volumes from now on, this one first. */
function buildLegacy(
  context: ActionContext,
  outcomes: ActionOutcomes,
  nodeId: string,
  { message }: DroppedField,
): true {
  context.onImageVolumesFailed(message);
  outcomes.refusals.delete(nodeId);
  return true;
}

/**
 * Handles a name that is taken: by the workflow's own pod, which is a success; by one of an earlier workflow, which is
 * about to be deleted; or for good.
 */
async function handleNameConflict(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  action: CreatePodAction,
): Promise<NeedsNextPass> {
  const { pod, nodeId } = action;
  const { namespace, name } = pod.metadata;
  const existing = readPod(await context.client.get(PODS, namespace, name!));
  const { ownerReferences = [], deletionTimestamp } = existing.metadata;
  if (isOwnedBy(existing, "Workflow", workflow)) {
    return await acceptPod(context, workflow, outcomes, action, existing);
  }
  const isGoing = deletionTimestamp !== undefined || ownerReferences.some(({ kind }) => kind === "Workflow");
  return outcomes.refuse(nodeId, {
    message: isGoing
      ? `pod "${name}" of an earlier workflow has not been deleted yet`
      : `pods "${name}" already exists`,
    transient: isGoing,
  });
}

function warn(context: ActionContext, workflow: Workflow, { reason, message }: DroppedField): void {
  context.log.warn("The API server dropped fields of a pod", { reason, message, workflow: workflow.metadata.name });
  context.events.record(workflow, { type: "Warning", reason, message });
}

/**
 * Creates the ConfigMap with texts that are too long for the pod's own fields. An existing one must belong to this
 * workflow, and its data is corrected if it differs, because the pod will run it.
 * @returns the problem with an existing one.
 */
async function createConfigMap(
  { client }: ActionContext,
  workflow: Workflow,
  configMap: ConfigMap,
): Promise<string | undefined> {
  const { namespace, name } = configMap.metadata;
  try {
    await client.create(CONFIGMAPS, namespace, configMap);
    return undefined;
  } catch (error) {
    if (classifyError(error) !== "alreadyExists") throw error;
  }
  const existing = await client.get(CONFIGMAPS, namespace, name!);
  if (!isOwnedBy(existing, "Workflow", workflow)) {
    return `configmaps "${name}" already exists and does not belong to this pod`;
  }
  const data = dataOf(existing);
  if (canonicalJson(data) === canonicalJson(configMap.data ?? {})) return undefined;
  const { uid, resourceVersion } = existing.metadata;
  const stray = Object.keys(data).map((key) => [key, null]);
  const change = { metadata: { uid, resourceVersion }, data: { ...Object.fromEntries(stray), ...configMap.data } };
  await client.patch(CONFIGMAPS, namespace, name!, change);
  return undefined;
}

/** Creating the pod of a node, and looking whether the API server took all of it. */
import type { Pod, Workflow } from "../../lib/api/mod.ts";
import { CONFIGMAPS, PODS, sortError } from "../../lib/kube/mod.ts";
import type { Action } from "../engine/mod.ts";
import type { WorkflowRecord } from "../observe/ledger.ts";
import { type Dropped, droppedFields, isImageVolumeUnknown } from "./dropped_fields.ts";
import type { Hands } from "./hands.ts";
import { deletePod } from "./release_pod.ts";

/**
 * Creates the pod, its ConfigMap first. A pod of ours that is there already is success, and the same pod: nothing is
 * counted twice. A refusal becomes a fact.
 * @returns whether the next pass should be made at once.
 */
export async function createPod(
  hands: Hands,
  workflow: Workflow,
  record: WorkflowRecord,
  action: Extract<Action, { kind: "createPod" }>,
): Promise<boolean> {
  // From here on it counts as there: a pass meanwhile does not ask for it again.
  const answered = hands.ledger.podAsked(action.pod);
  let isNews = true;
  try {
    isNews = await create(hands, workflow, record, action);
  } finally {
    if (answered()) isNews = true;
  }
  return isNews;
}

async function create(
  hands: Hands,
  workflow: Workflow,
  record: WorkflowRecord,
  action: Extract<Action, { kind: "createPod" }>,
): Promise<boolean> {
  const { pod, configMap, nodeId } = action;
  const namespace = pod.metadata.namespace;
  try {
    if (configMap) await createOnce(() => hands.client.create(CONFIGMAPS, namespace, configMap));
    const created = await hands.client.create<Pod>(PODS, namespace, pod, { fieldValidation: "Strict" });
    for (const dropped of droppedFields(pod, created)) {
      warn(hands, workflow, dropped);
      if (dropped.reason !== "ImageVolumeDropped") continue;
      await deletePod(hands.client, created, 0);
      return buildLegacy(hands, record, nodeId, dropped);
    }
    hands.ledger.podWritten(created);
    record.refusals.delete(nodeId);
    return false;
  } catch (error) {
    const sort = sortError(error);
    if (sort === "alreadyExists") return await meetExisting(hands, record, action);
    if (sort === "invalid" && isImageVolumeUnknown(error as Error)) {
      const dropped: Dropped = { reason: "ImageVolumeDropped", message: (error as Error).message };
      warn(hands, workflow, dropped);
      return buildLegacy(hands, record, nodeId, dropped);
    }
    // A quota, an overloaded server, a webhook: the world's trouble passes; anything else ends the node.
    record.refusals.set(nodeId, { message: (error as Error).message, transient: sort === "transient" });
    return true;
  }
}

/** From now on pods are built in the layout that needs no image volume; this one first. */
function buildLegacy(hands: Hands, record: WorkflowRecord, nodeId: string, { message }: Dropped): true {
  hands.imageVolumesFailed(message);
  record.refusals.delete(nodeId);
  return true;
}

/** The name is taken: by our own pod, which is success; by one of an earlier workflow, which is about to go; or for good. */
async function meetExisting(
  hands: Hands,
  record: WorkflowRecord,
  { pod, nodeId }: Extract<Action, { kind: "createPod" }>,
): Promise<boolean> {
  const { namespace, name } = pod.metadata;
  const existing = await hands.client.get<Pod>(PODS, namespace, name!);
  const { ownerReferences = [], deletionTimestamp } = existing.metadata;
  if (ownerReferences.some(({ uid }) => uid === record.uid)) {
    hands.ledger.podWritten(existing);
    record.refusals.delete(nodeId);
    return false;
  }
  const isGoing = deletionTimestamp !== undefined || ownerReferences.some(({ kind }) => kind === "Workflow");
  record.refusals.set(nodeId, {
    message: isGoing ? `pod "${name}" of an earlier workflow is not gone yet` : `pods "${name}" already exists`,
    transient: isGoing,
  });
  return true;
}

function warn(hands: Hands, workflow: Workflow, { reason, message }: Dropped): void {
  hands.log.warn("The API server dropped a part of a pod", { reason, message, workflow: workflow.metadata.name });
  hands.events.record(workflow, { kind: "event", type: "Warning", reason, message });
}

async function createOnce(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (sortError(error) !== "alreadyExists") throw error;
  }
}

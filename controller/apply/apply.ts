/** Doing what was decided. One case per action; each may be repeated, and a refusal becomes a fact for the next pass. */
import type { PersistentVolumeClaim, Pod, Workflow } from "../../lib/api/mod.ts";
import { API_VERSION, FINALIZER, LABEL } from "../../lib/constants.ts";
import {
  CONFIGMAPS,
  EVENTS,
  type KubeClient,
  PERSISTENT_VOLUME_CLAIMS,
  PODS,
  sortError,
  WORKFLOW_TASK_RESULTS,
} from "../../lib/kube/mod.ts";
import type { Action } from "../engine/mod.ts";
import type { Log } from "../log.ts";
import type { Ledger, WorkflowRecord } from "../observe/ledger.ts";
import type { Terminator } from "./terminator.ts";

/** What actions are done with. */
export interface Hands {
  readonly client: KubeClient;
  readonly ledger: Ledger;
  readonly terminator: Terminator;
  readonly log: Log;
  /** The newest known state of a pod, by `namespace/name`. */
  podNow(key: string): Pod | undefined;
  /** Does something later, once however often it is asked; a restart forgets it and its first pass asks again. */
  later(what: string, seconds: number, act: () => Promise<void>): void;
}

/** How it went: all done, done with facts that the next pass should know at once, or some must be asked for again. */
export type Applied = "done" | "news" | "failed";

/** Does all actions of a decision, side by side. One that fails does not keep the others from being done. */
export async function applyAll(
  hands: Hands,
  workflow: Workflow,
  record: WorkflowRecord,
  actions: readonly Action[],
): Promise<Applied> {
  const results = await Promise.all(actions.map(async (action) => {
    try {
      return await apply(hands, workflow, record, action) ? "news" : "done";
    } catch (error) {
      hands.log.warn("An action failed and is tried again", { action: action.kind, error: String(error) });
      return "failed";
    }
  }));
  return results.includes("news") ? "news" : results.includes("failed") ? "failed" : "done";
}

async function apply(hands: Hands, workflow: Workflow, record: WorkflowRecord, action: Action): Promise<boolean> {
  switch (action.kind) {
    case "createPod":
      return await createPod(hands, record, action);
    case "deletePod":
      await deletePod(hands, workflow, action.podName, action.uid);
      return false;
    case "terminateContainers": {
      const pod = hands.podNow(`${workflow.metadata.namespace}/${action.podName}`);
      if (pod) hands.terminator.terminate(pod);
      return false;
    }
    case "finishPod":
      await finishPod(hands, workflow, action);
      return false;
    case "createClaim":
      return await createClaim(hands, workflow, record, action.claim);
    case "deleteClaim":
      return await deleteClaim(hands, workflow, record, action.name);
    case "deleteTaskResults":
      await tolerate(
        hands,
        "delete task results",
        () =>
          hands.client.deleteCollection(WORKFLOW_TASK_RESULTS, workflow.metadata.namespace, {
            labelSelector: `${LABEL.workflow}=${workflow.metadata.name}`,
          }),
      );
      return false;
    case "event":
      await tolerate(
        hands,
        "record an event",
        () => hands.client.create(EVENTS, workflow.metadata.namespace, eventOf(workflow, action)),
      );
      return false;
  }
}

async function createPod(
  hands: Hands,
  record: WorkflowRecord,
  action: Extract<Action, { kind: "createPod" }>,
): Promise<boolean> {
  const { pod, configMap, nodeId } = action;
  const namespace = pod.metadata.namespace;
  try {
    if (configMap) await createOnce(() => hands.client.create(CONFIGMAPS, namespace, configMap));
    hands.ledger.podCreated(await hands.client.create<Pod>(PODS, namespace, pod, { fieldValidation: "Strict" }));
    record.refusals.delete(nodeId);
    return false;
  } catch (error) {
    const sort = sortError(error);
    if (sort === "alreadyExists") {
      const existing = await hands.client.get<Pod>(PODS, namespace, pod.metadata.name!);
      const ours = existing.metadata.ownerReferences?.some(({ uid }) => uid === record.uid);
      if (ours) {
        hands.ledger.podCreated(existing);
        return false;
      }
    }
    // A quota, an overloaded server, a webhook: the world's trouble passes; anything else ends the node.
    record.refusals.set(nodeId, { message: (error as Error).message, transient: sort === "transient" });
    return true;
  }
}

async function createOnce(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (sortError(error) !== "alreadyExists") throw error;
  }
}

async function deletePod(hands: Hands, workflow: Workflow, name: string, uid: string | undefined): Promise<void> {
  try {
    await releaseFinalizer(hands, workflow, name);
    await hands.client.delete(PODS, workflow.metadata.namespace, name, { uid, propagationPolicy: "Background" });
  } catch (error) {
    const sort = sortError(error);
    if (sort !== "notFound" && sort !== "conflict") throw error;
  }
}

async function finishPod(
  hands: Hands,
  workflow: Workflow,
  action: Extract<Action, { kind: "finishPod" }>,
): Promise<void> {
  if (!action.remove) return await labelFinished(hands, workflow, action.podName);
  const remove = () => deletePod(hands, workflow, action.podName, undefined);
  if (action.delaySeconds > 0) {
    hands.later(`delete ${workflow.metadata.namespace}/${action.podName}`, action.delaySeconds, remove);
  } else await remove();
}

async function labelFinished(hands: Hands, workflow: Workflow, name: string): Promise<void> {
  const namespace = workflow.metadata.namespace;
  const pod = hands.podNow(`${namespace}/${name}`);
  const finalizers = pod?.metadata.finalizers;
  await tolerate(hands, `label the pod ${name}`, () =>
    hands.client.patch(PODS, namespace, name, {
      metadata: {
        labels: { [LABEL.completed]: "true" },
        ...(finalizers?.includes(FINALIZER.podStatus)
          ? {
            finalizers: finalizers.filter((finalizer) => finalizer !== FINALIZER.podStatus),
            resourceVersion: pod!.metadata.resourceVersion,
          }
          : {}),
      },
    }));
}

async function releaseFinalizer(hands: Hands, workflow: Workflow, name: string): Promise<void> {
  const namespace = workflow.metadata.namespace;
  const pod = hands.podNow(`${namespace}/${name}`);
  const finalizers = pod?.metadata.finalizers;
  if (!finalizers?.includes(FINALIZER.podStatus)) return;
  await hands.client.patch(PODS, namespace, name, {
    metadata: {
      finalizers: finalizers.filter((finalizer) => finalizer !== FINALIZER.podStatus),
      resourceVersion: pod!.metadata.resourceVersion,
    },
  });
}

async function createClaim(
  hands: Hands,
  workflow: Workflow,
  record: WorkflowRecord,
  claim: PersistentVolumeClaim,
): Promise<boolean> {
  const namespace = workflow.metadata.namespace;
  const name = claim.metadata?.name ?? "";
  try {
    await hands.client.create(PERSISTENT_VOLUME_CLAIMS, namespace, claim);
  } catch (error) {
    const sort = sortError(error);
    const existing = sort === "alreadyExists"
      ? await hands.client.get(PERSISTENT_VOLUME_CLAIMS, namespace, name)
      : undefined;
    if (!existing?.metadata.ownerReferences?.some(({ uid }) => uid === workflow.metadata.uid)) {
      record.refusals.set(name, { message: (error as Error).message, transient: sort === "transient" });
      return true;
    }
  }
  record.refusals.delete(name);
  record.claims.set(name, "present");
  return true;
}

async function deleteClaim(
  hands: Hands,
  workflow: Workflow,
  record: WorkflowRecord,
  name: string,
): Promise<boolean> {
  const namespace = workflow.metadata.namespace;
  try {
    await hands.client.delete(PERSISTENT_VOLUME_CLAIMS, namespace, name, { propagationPolicy: "Background" });
    // The protection finalizer would hold the claim for as long as finished pods still name it.
    await hands.client.patch(PERSISTENT_VOLUME_CLAIMS, namespace, name, { metadata: { finalizers: null } });
  } catch (error) {
    if (sortError(error) !== "notFound") throw error;
  }
  record.claims.set(name, "gone");
  return true;
}

async function tolerate(hands: Hands, what: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (sortError(error) === "notFound") return;
    hands.log.warn(`Could not ${what}`, { error: String(error) });
  }
}

function eventOf(workflow: Workflow, action: Extract<Action, { kind: "event" }>): Record<string, unknown> {
  const { name, namespace, uid, resourceVersion } = workflow.metadata;
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      generateName: `${name}.`,
      namespace,
      ...(action.annotations ? { annotations: action.annotations } : {}),
    },
    involvedObject: { apiVersion: API_VERSION, kind: "Workflow", name, namespace, uid, resourceVersion },
    reason: action.reason,
    message: action.message.slice(0, 1024),
    type: action.type,
    source: { component: "workflow-controller" },
    reportingComponent: "workflow-controller",
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
}

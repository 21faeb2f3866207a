/** Doing what was decided. One case per action; each may be repeated, and a refusal becomes a fact for the next pass. */
import type { PersistentVolumeClaim, Pod, Workflow } from "../../lib/api/mod.ts";
import { keyOf, PERSISTENT_VOLUME_CLAIMS, sortError, WORKFLOWS } from "../../lib/kube/mod.ts";
import type { Action } from "../engine/mod.ts";
import type { WorkflowRecord } from "../observe/ledger.ts";
import { createPod } from "./create_pod.ts";
import type { Hands } from "./hands.ts";
import { deletePod, releasePod } from "./release_pod.ts";

/**
 * Begins all actions of a decision. Nothing is waited for: what comes of them shows in the ledger or in a watch. Facts
 * that no watch will show, and actions that must be asked for again, bring the workflow back by themselves.
 */
export function beginAll(
  hands: Hands,
  workflow: Workflow,
  record: WorkflowRecord,
  actions: readonly Action[],
): void {
  for (const action of actions) {
    const errand = () => tryAction(hands, workflow, record, action);
    hands.errands.go(errandOf(workflow, action), errand, (millis) => {
      if (millis !== undefined) hands.comeBack(keyOf(workflow), millis);
    });
  }
}

/** Does one action; the answer is in how many milliseconds the next pass should be made because of it, if at all. */
async function tryAction(
  hands: Hands,
  workflow: Workflow,
  record: WorkflowRecord,
  action: Action,
): Promise<number | undefined> {
  try {
    return await apply(hands, workflow, record, action) ? 0 : undefined;
  } catch (error) {
    const sort = sortError(error);
    const passes = sort === "transient" || sort === "conflict";
    hands.log.warn("An action failed", { action: action.kind, error: String(error), triedAgain: passes });
    return passes ? RETRY_MILLIS : undefined;
  }
}

const RETRY_MILLIS = 1000;

/** What makes two actions the same one. */
function errandOf(workflow: Workflow, action: Action): string {
  const of = `${action.kind} ${workflow.metadata.uid}`;
  switch (action.kind) {
    case "createPod":
      return `${of} ${action.pod.metadata.name}`;
    case "deletePod":
    case "releasePod":
    case "terminateContainers":
    case "finishPod":
      return `${of} ${action.podName}`;
    case "createClaim":
      return `${of} ${action.claim.metadata?.name}`;
    case "deleteClaim":
      return `${of} ${action.name}`;
    case "deleteTaskResults":
    case "deleteWorkflow":
      return of;
    case "event":
      return `${of} ${crypto.randomUUID()}`;
  }
}

/** Does one action. True when the next pass should be made at once: it brought facts that no watch shows. */
async function apply(hands: Hands, workflow: Workflow, record: WorkflowRecord, action: Action): Promise<boolean> {
  switch (action.kind) {
    case "createPod":
      return await createPod(hands, workflow, record, action);
    case "deletePod": {
      const pod = podOf(hands, workflow, action.podName, action.uid);
      if (pod) await deletePod(hands.client, pod);
      return false;
    }
    case "releasePod": {
      const pod = podOf(hands, workflow, action.podName);
      if (pod) hands.ledger.podWritten(await releasePod(hands.client, pod, { completed: false }));
      return false;
    }
    case "terminateContainers": {
      const pod = podOf(hands, workflow, action.podName);
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
      hands.taskResults.delete(workflow.metadata.namespace!, workflow.metadata.name!);
      return false;
    case "deleteWorkflow": {
      const { namespace, name, uid } = workflow.metadata;
      hands.log.info("The workflow's time is over", { workflow: keyOf(workflow) });
      await tolerate(
        hands,
        "delete the workflow",
        () => hands.client.delete(WORKFLOWS, namespace, name!, { uid, propagationPolicy: "Background" }),
      );
      return false;
    }
    case "event":
      hands.events.record(workflow, action);
      return false;
  }
}

/** The pod as we know it; what is not known is not there. */
function podOf(hands: Hands, workflow: Workflow, name: string, uid?: string): Pod | undefined {
  const pod = hands.podNow(`${workflow.metadata.namespace}/${name}`);
  return uid === undefined || pod?.metadata.uid === uid ? pod : undefined;
}

async function finishPod(
  hands: Hands,
  workflow: Workflow,
  action: Extract<Action, { kind: "finishPod" }>,
): Promise<void> {
  const pod = podOf(hands, workflow, action.podName);
  if (!pod) return;
  if (!action.remove) {
    const answered = hands.ledger.podFinishing(pod);
    try {
      hands.ledger.podWritten(await releasePod(hands.client.inBackground(), pod, { completed: true }));
    } finally {
      answered();
    }
    return;
  }
  const remove = () => {
    const now = podOf(hands, workflow, action.podName, pod.metadata.uid) ?? pod;
    return deletePod(hands.client, now, action.graceSeconds);
  };
  if (action.delaySeconds > 0) hands.later(`delete ${keyOf(pod)} ${pod.metadata.uid}`, action.delaySeconds, remove);
  else await remove();
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

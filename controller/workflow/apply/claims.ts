/** Claims of `volumeClaimTemplates`: created for a workflow, and deleted only if they were. */
import type { PersistentVolumeClaim, Workflow } from "@tiphys/model/api";
import { classifyError, isOwnedBy, type KubeObject, PERSISTENT_VOLUME_CLAIMS } from "@tiphys/kube";
import { isRetryable, throwBug } from "@tiphys/kube/errors";
import type { Action } from "@tiphys/engine";
import type { ActionOutcomes, NeedsNextPass } from "./outcomes.ts";
import type { ActionContext } from "./action_context.ts";

/** Kubernetes' own finalizer, which would keep a claim as long as finished pods refer to it. */
const PROTECTION = "kubernetes.io/pvc-protection";

/** Creates a claim, or finds it. An existing claim that does not belong to the workflow is a refusal. */
export async function createClaim(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  claim: PersistentVolumeClaim,
): Promise<NeedsNextPass> {
  const namespace = workflow.metadata.namespace;
  const name = claim.metadata?.name ?? "";
  try {
    await context.client.create(PERSISTENT_VOLUME_CLAIMS, namespace, claim);
  } catch (error) {
    throwBug(error);
    const sort = classifyError(error);
    const existing = sort === "alreadyExists" ? await readClaimIfExists(context, namespace, name) : undefined;
    if (!existing || !isOwnedBy(existing, "Workflow", workflow)) {
      const message = existing ? `${name} pvc already exists with different ownerreference` : (error as Error).message;
      return outcomes.refuse(name, {
        message,
        transient: isRetryable(error) || (sort === "alreadyExists" && !existing),
      });
    }
  }
  outcomes.refusals.delete(name);
  outcomes.claims.set(name, "present");
  return true;
}

/** Deletes a claim of the workflow, but not one of another owner, whatever the status contains. */
export async function deleteClaim(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  { name, keepProtection }: Extract<Action, { kind: "deleteClaim" }>,
): Promise<true> {
  const namespace = workflow.metadata.namespace;
  const claim = await readClaimIfExists(context, namespace, name);
  if (claim && isOwnedBy(claim, "Workflow", workflow)) await remove(context, claim, keepProtection);
  else if (claim) {
    context.log.warn("Keeping a PersistentVolumeClaim that does not belong to the workflow", {
      claim: `${namespace}/${name}`,
    });
  }
  outcomes.claims.set(name, "gone");
  return true;
}

async function remove({ client }: ActionContext, claim: KubeObject, keepProtection: boolean): Promise<void> {
  const { namespace, name = "", uid } = claim.metadata;
  try {
    await client.delete(PERSISTENT_VOLUME_CLAIMS, namespace, name, { uid, propagationPolicy: "Background" });
    if (keepProtection) return;
    const left = await client.get<KubeObject>(PERSISTENT_VOLUME_CLAIMS, namespace, name);
    if (left.metadata.uid !== uid || !left.metadata.finalizers?.includes(PROTECTION)) return;
    const finalizers = left.metadata.finalizers.filter((finalizer) => finalizer !== PROTECTION);
    // Replaces the whole claim, on the condition of its version: the roles of Argo's installations do not allow
    // patches.
    await client.replace(PERSISTENT_VOLUME_CLAIMS, namespace, { ...left, metadata: { ...left.metadata, finalizers } });
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
  }
}

async function readClaimIfExists(
  { client }: ActionContext,
  namespace: string | undefined,
  name: string,
): Promise<KubeObject | undefined> {
  try {
    return await client.get<KubeObject>(PERSISTENT_VOLUME_CLAIMS, namespace, name);
  } catch (error) {
    if (classifyError(error) === "notFound") return undefined;
    throw error;
  }
}

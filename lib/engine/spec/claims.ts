/** Volume claims of `volumeClaimTemplates`: created before the first pod, deleted after the last one. */
import { UserError } from "@tiphys/base/user_error";
import type { PersistentVolumeClaim, Volume } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { isCompletedPhase } from "@tiphys/model/status";
import { ownerOf } from "./owner.ts";
import type { RequestsDraft, Slice, StatusDraft } from "../slice.ts";

/**
 * Requests the claims that are not known to exist. Once all of them exist, records them in the status as volumes. That
 * list is informational: a claim that somebody adds to the status does not become the workflow's.
 * @returns whether pods may be created now.
 * @throws {Error} if a claim cannot be created.
 */
export function createClaims(pass: Slice<StatusDraft & RequestsDraft>): boolean {
  const templates = pass.draft.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0) return true;
  let areReady = true;
  let waitReason: string | undefined;
  const volumes = claimVolumes(pass);
  for (const [index, { persistentVolumeClaim }] of volumes.entries()) {
    const { claimName } = persistentVolumeClaim!;
    if (pass.facts.claims.get(claimName) === "present") continue;
    areReady = false;
    waitReason ??= pass.facts.refusals.get(claimName)?.message;
    requestClaim(pass, claimName, templates[index] ?? {});
  }
  showWaiting(pass, waitReason);
  if (areReady && JSON.stringify(pass.draft.workflow.status?.persistentVolumeClaims) !== JSON.stringify(volumes)) {
    pass.draft.setStatus({ persistentVolumeClaims: volumes });
  }
  return areReady;
}

const WAITING = "Waiting for a PVC to be created. ";

/** Shows the reason for the wait in the workflow's message, and removes it when the wait ends. */
function showWaiting(pass: Slice<StatusDraft>, reason: string | undefined): void {
  const before = pass.draft.workflow.status?.message ?? "";
  if (reason !== undefined) {
    if (before !== `${WAITING}${reason}`) pass.draft.setStatus({ message: `${WAITING}${reason}` });
  } else if (before.startsWith(WAITING)) pass.draft.setStatus({ message: undefined });
}

/**
 * The volumes that mount the workflow's claims, in the order of the spec.
 * @throws {Error} if a claim has no name.
 */
export function claimVolumes(pass: Slice): Volume[] {
  return (pass.draft.spec.volumeClaimTemplates ?? []).map(({ metadata }, index) => {
    if (!metadata?.name) throw new UserError(`volumeClaimTemplates[${index}].metadata.name is required`);
    return { name: metadata.name, persistentVolumeClaim: { claimName: `${pass.name}-${metadata.name}` } };
  });
}

function requestClaim(pass: Slice<RequestsDraft>, name: string, template: PersistentVolumeClaim): void {
  const refusal = pass.facts.refusals.get(name);
  if (refusal && !refusal.transient) throw new UserError(refusal.message);
  if (refusal) pass.requestPassAt(pass.facts.now.getTime() + 1000);
  const { name: workflowName, namespace } = pass.draft.workflow.metadata;
  const claim: PersistentVolumeClaim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...template.metadata,
      name,
      namespace,
      labels: { ...template.metadata?.labels, [LABEL.workflow]: workflowName! },
      ownerReferences: [ownerOf(pass.draft.workflow)],
    },
    spec: template.spec,
  };
  pass.draft.request({ kind: "createClaim", claim });
}

/** Requests deletion of the claims of a completed workflow, unless its `volumeClaimGC` keeps them. */
export function deleteClaims(pass: Slice<StatusDraft & RequestsDraft>): void {
  const phase = pass.draft.workflow.status?.phase;
  const volumes = pass.draft.workflow.status?.persistentVolumeClaims;
  if (!volumes?.length || !isCompletedPhase(phase)) return;
  const strategy = pass.draft.specIfSet?.volumeClaimGC?.strategy ?? "OnWorkflowSuccess";
  if (strategy === "OnWorkflowSuccess" && phase !== "Succeeded") return;
  const kept = volumes.filter((volume) => {
    const name = volume.persistentVolumeClaim?.claimName;
    // A claim of the workflow has its name as prefix. The owner of the claim is checked when the request is carried
    // out.
    if (!name?.startsWith(`${pass.name}-`) || pass.facts.claims.get(name) === "gone") return false;
    pass.draft.request({ kind: "deleteClaim", name, keepProtection: pass.facts.config.keepsClaimProtection === true });
    return true;
  });
  if (kept.length < volumes.length) pass.draft.setStatus({ persistentVolumeClaims: kept.length ? kept : undefined });
}

/** Volume claims of `volumeClaimTemplates`: made before the first pod, gone after the last. */
import { UserError } from "@tiphys/base/user_error";
import type { PersistentVolumeClaim, Volume } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { isCompletedPhase } from "@tiphys/model/status";
import { ownerOf } from "./owner.ts";
import type { RequestsDraft, Slice, StatusDraft } from "../slice.ts";

/**
 * Asks for the claims that are not known to be there; when all of them are, records them as volumes that pods can mount.
 * The status lists them for people to read: a claim that somebody wrote there does not thereby become the workflow's.
 * @returns whether pods may be made now.
 * @throws {Error} when a claim cannot be made.
 */
export function createClaims(pass: Slice<StatusDraft & RequestsDraft>): boolean {
  const templates = pass.draft.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0) return true;
  let ready = true;
  let waitsFor: string | undefined;
  const volumes = claimVolumes(pass);
  for (const [index, { persistentVolumeClaim }] of volumes.entries()) {
    const { claimName } = persistentVolumeClaim!;
    if (pass.facts.claims.get(claimName) === "present") continue;
    ready = false;
    waitsFor ??= pass.facts.refusals.get(claimName)?.message;
    askFor(pass, claimName, templates[index] ?? {});
  }
  sayWaiting(pass, waitsFor);
  if (ready && JSON.stringify(pass.draft.workflow.status?.persistentVolumeClaims) !== JSON.stringify(volumes)) {
    pass.draft.setStatus({ persistentVolumeClaims: volumes });
  }
  return ready;
}

const WAITING = "Waiting for a PVC to be created. ";

/** Says in the status for what the workflow waits, as long as it does. */
function sayWaiting(pass: Slice<StatusDraft>, why: string | undefined): void {
  const said = pass.draft.workflow.status?.message ?? "";
  if (why !== undefined) {
    if (said !== `${WAITING}${why}`) pass.draft.setStatus({ message: `${WAITING}${why}` });
  } else if (said.startsWith(WAITING)) pass.draft.setStatus({ message: undefined });
}

/**
 * The volumes of the workflow's claims, as its spec has them.
 * @throws {Error} when a claim has no name.
 */
export function claimVolumes(pass: Slice): Volume[] {
  return (pass.draft.spec.volumeClaimTemplates ?? []).map(({ metadata }, index) => {
    if (!metadata?.name) throw new UserError(`volumeClaimTemplates[${index}].metadata.name is required`);
    return { name: metadata.name, persistentVolumeClaim: { claimName: `${pass.name}-${metadata.name}` } };
  });
}

function askFor(pass: Slice<RequestsDraft>, name: string, template: PersistentVolumeClaim): void {
  const refusal = pass.facts.refusals.get(name);
  if (refusal && !refusal.transient) throw new UserError(refusal.message);
  if (refusal) pass.comeBackAt(pass.facts.now.getTime() + 1000);
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
  pass.draft.ask({ kind: "createClaim", claim });
}

/** Asks for the end of the claims of a workflow that is over, unless its strategy keeps them. */
export function deleteClaims(pass: Slice<StatusDraft & RequestsDraft>): void {
  const phase = pass.draft.workflow.status?.phase;
  const volumes = pass.draft.workflow.status?.persistentVolumeClaims;
  if (!volumes?.length || !isCompletedPhase(phase)) return;
  const strategy = pass.draft.settledSpec?.volumeClaimGC?.strategy ?? "OnWorkflowSuccess";
  if (strategy === "OnWorkflowSuccess" && phase !== "Succeeded") return;
  const kept = volumes.filter((volume) => {
    const name = volume.persistentVolumeClaim?.claimName;
    // Claims of ours have names of ours; whether this one was made for us is asked before it goes.
    if (!name?.startsWith(`${pass.name}-`) || pass.facts.claims.get(name) === "gone") return false;
    pass.draft.ask({ kind: "deleteClaim", name, keepProtection: pass.facts.config.keepClaimProtection === true });
    return true;
  });
  if (kept.length < volumes.length) pass.draft.setStatus({ persistentVolumeClaims: kept.length ? kept : undefined });
}

/** Volume claims of `volumeClaimTemplates`: made before the first pod, gone after the last (features C-22). */
import type { PersistentVolumeClaim } from "../../lib/api/mod.ts";
import { API_VERSION, LABEL } from "../../lib/constants.ts";
import type { Pass } from "./pass.ts";
import { isFinal } from "./workflow_phase.ts";

/**
 * Asks for the claims that are not known to be there; when all of them are, records them as volumes that pods can mount.
 * @returns whether pods may be made now.
 * @throws {Error} when a claim cannot be made.
 */
export function createClaims(pass: Pass): boolean {
  const templates = pass.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0 || pass.workflow.status?.persistentVolumeClaims?.length === templates.length) return true;
  let ready = true;
  const volumes = templates.map((template) => {
    const volume = template.metadata?.name;
    if (!volume) throw new Error("volumeClaimTemplates[].metadata.name is required");
    const name = `${pass.name}-${volume}`;
    if (pass.observed.claims.get(name) !== "present") {
      ready = false;
      askFor(pass, name, template);
    }
    return { name: volume, persistentVolumeClaim: { claimName: name } };
  });
  if (ready) pass.setStatus({ persistentVolumeClaims: volumes });
  return ready;
}

function askFor(pass: Pass, name: string, template: PersistentVolumeClaim): void {
  const refusal = pass.observed.refusals.get(name);
  if (refusal && !refusal.transient) throw new Error(refusal.message);
  if (refusal) pass.comeBackAt(pass.now.getTime() + 1000);
  const { uid, name: workflowName, namespace } = pass.workflow.metadata;
  const owner = { apiVersion: API_VERSION, kind: "Workflow", name: workflowName!, uid: uid! };
  const claim: PersistentVolumeClaim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...template.metadata,
      name,
      namespace,
      labels: { ...template.metadata?.labels, [LABEL.workflow]: workflowName! },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec: template.spec,
  };
  pass.actions.push({ kind: "createClaim", claim });
}

/** Asks for the end of the claims of a workflow that is over, unless its strategy keeps them. */
export function deleteClaims(pass: Pass): void {
  const phase = pass.workflow.status?.phase;
  const volumes = pass.workflow.status?.persistentVolumeClaims;
  if (!volumes?.length || !isFinal(phase)) return;
  const strategy = pass.spec?.volumeClaimGC?.strategy ?? "OnWorkflowSuccess";
  if (strategy === "OnWorkflowSuccess" && phase !== "Succeeded") return;
  const kept = volumes.filter((volume) => {
    const name = volume.persistentVolumeClaim?.claimName;
    if (!name || pass.observed.claims.get(name) === "gone") return false;
    pass.actions.push({ kind: "deleteClaim", name });
    return true;
  });
  if (kept.length < volumes.length) pass.setStatus({ persistentVolumeClaims: kept.length ? kept : undefined });
}

/** The owner reference of what is made for a workflow: it goes with its workflow. */
import type { OwnerReference, Workflow } from "../../../../lib/api/mod.ts";
import { API_VERSION } from "../../../../lib/constants.ts";

/** The reference to a workflow that is in the cluster. */
export function ownerOf({ metadata: { name = "", uid = "" } }: Workflow): OwnerReference {
  return { apiVersion: API_VERSION, kind: "Workflow", name, uid, controller: true, blockOwnerDeletion: true };
}

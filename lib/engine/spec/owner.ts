/** The owner reference of what is made for a workflow: it goes with its workflow. */
import type { OwnerReference, Workflow } from "@tiphys/model/api";
import { API_VERSION } from "@tiphys/base/constants";

/** The reference to a workflow that is in the cluster. */
export function ownerOf({ metadata: { name = "", uid = "" } }: Workflow): OwnerReference {
  return { apiVersion: API_VERSION, kind: "Workflow", name, uid, controller: true, blockOwnerDeletion: true };
}

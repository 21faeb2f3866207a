/** The owner reference of objects created for a workflow: they are garbage collected with it. */
import type { OwnerReference, Workflow } from "@tiphys/model/api";
import { API_VERSION } from "@tiphys/base/constants";

/** Returns the reference to a workflow of the cluster, as its controller. */
export function ownerOf({ metadata: { name = "", uid = "" } }: Workflow): OwnerReference {
  return { apiVersion: API_VERSION, kind: "Workflow", name, uid, controller: true, blockOwnerDeletion: true };
}

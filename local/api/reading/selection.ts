/** Selects the objects of a collection for a list or watch. */

import { UserError } from "@tiphys/base/user_error";
import type { KubeObject } from "@tiphys/kube";
import { type FieldRequirement, parseFieldSelector, parseLabelSelector } from "@tiphys/kube/selectors";
import type { ServedResource } from "../served_resource.ts";
import { badRequest } from "../status_error.ts";

/** The selectable fields in addition to metadata.name and metadata.namespace, as in Kubernetes. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  pods: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
  ],
  events: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
  secrets: ["type"],
  namespaces: ["status.phase"],
  nodes: ["spec.unschedulable"],
  jobs: ["status.successful"],
};

/** Reports whether an object is selected. */
export type Selection = (object: KubeObject) => boolean;

/**
 * Parses labelSelector and fieldSelector of a query.
 * @throws {StatusError} 400 for an invalid selector.
 */
export function parseSelection(query: URLSearchParams, resource: ServedResource): Selection {
  const labelText = query.get("labelSelector") ?? "";
  const fieldText = query.get("fieldSelector") ?? "";
  if (labelText === "" && fieldText === "") return () => true;
  try {
    const labels = parseLabelSelector(labelText);
    const fields = parseFieldSelector(fieldText);
    for (const { field } of fields) checkSelectable(field, resource);
    return (object) =>
      labels(object.metadata.labels) && fields.every((requirement) => meetsRequirement(object, requirement));
  } catch (error) {
    if (error instanceof UserError) throw badRequest(error.message);
    throw error;
  }
}

function checkSelectable(field: string, resource: ServedResource): void {
  if (field === "metadata.name" || (field === "metadata.namespace" && resource.namespaced)) return;
  if (resource.builtIn && selectable[resource.plural]?.includes(field)) return;
  throw badRequest(`field label not supported: ${field}`);
}

function meetsRequirement(object: KubeObject, { field, equal, value }: FieldRequirement): boolean {
  let found: unknown = object;
  for (const part of field.split(".")) found = (found as Record<string, unknown> | undefined)?.[part];
  return (String(found ?? "") === value) === equal;
}

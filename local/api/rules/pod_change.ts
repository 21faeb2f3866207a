/** The few fields of a pod's specification that may change after its creation. */

import type { KubeObject } from "@tiphys/kube";
import { sameJson } from "@tiphys/kube/patch";
import type { Cause } from "../status_error.ts";

type Fields = Record<string, unknown>;

const changeable = [
  "activeDeadlineSeconds",
  "terminationGracePeriodSeconds",
  "tolerations",
  "schedulingGates",
  // In Kubernetes only a Binding sets it. The embedded kubelet is its own scheduler, and may patch it.
  "nodeName",
];

/** Returns the errors of a change of a pod. */
export function podChangeCauses(before: KubeObject, next: KubeObject): Cause[] {
  const old = fixedPart((before.spec ?? {}) as Fields);
  const now = fixedPart((next.spec ?? {}) as Fields);
  const causes: Cause[] = [];
  const { nodeName } = (before.spec ?? {}) as Fields;
  if (nodeName && nodeName !== (next.spec as Fields | undefined)?.nodeName) {
    causes.push({ reason: "FieldValueInvalid", field: "spec.nodeName", message: "Invalid value: field is immutable" });
  }
  if (!sameJson(old, now)) {
    const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .filter((field) => !sameJson(old[field], now[field]));
    causes.push({
      reason: "FieldValueInvalid",
      field: "spec",
      message: "Forbidden: pod updates may not change fields other than `spec.containers[*].image`," +
        "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing " +
        "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative): " +
        `the change is in ${fields.join(", ")}`,
    });
  }
  return causes;
}

function fixedPart(spec: Fields): Fields {
  const fixed = Object.fromEntries(Object.entries(spec).filter(([field]) => !changeable.includes(field)));
  for (const list of ["containers", "initContainers"]) {
    const containers = fixed[list];
    if (Array.isArray(containers)) fixed[list] = containers.map(({ image: _image, ...rest }: Fields) => rest);
  }
  return fixed;
}

/** The enumerated values of pod fields: with an invalid one, the API server rejects the pod. */
import { didYouMean } from "@tiphys/base/nearest_name";
import { containsPlaceholder } from "../template/scope.ts";
import type { Place, Report } from "./report.ts";

/** The values of container fields. */
const CONTAINER_VALUES: Readonly<Record<string, readonly string[]>> = {
  imagePullPolicy: ["Always", "IfNotPresent", "Never"],
  terminationMessagePolicy: ["File", "FallbackToLogsOnError"],
};

/** The values of pod fields. */
const POD_VALUES: Readonly<Record<string, readonly string[]>> = {
  dnsPolicy: ["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"],
};

/** The values of toleration fields. */
const TOLERATION_VALUES: Readonly<Record<string, readonly string[]>> = {
  operator: ["Exists", "Equal"],
  effect: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
};

/** Reports invalid values in a container. */
export function checkContainerValues(report: Report, container: object, place: Place): void {
  checkFieldValues(report, container, CONTAINER_VALUES, place);
}

/** Reports invalid values in the pod fields of a template or spec. */
export function checkPodValues(report: Report, pod: { readonly tolerations?: readonly object[] }, place: Place): void {
  checkFieldValues(report, pod, POD_VALUES, place);
  for (const [index, toleration] of (pod.tolerations ?? []).entries()) {
    checkFieldValues(report, toleration, TOLERATION_VALUES, place.part(place.name, "tolerations", index));
  }
}

/** Reports to lint only: the pod may never be created, so the workflow is not rejected. */
function checkFieldValues(
  report: Report,
  holder: object,
  allowedValues: Readonly<Record<string, readonly string[]>>,
  place: Place,
): void {
  if (!report.judgesExpressions) return;
  for (const [field, accepted] of Object.entries(allowedValues)) {
    const value: unknown = (holder as Readonly<Record<string, unknown>>)[field];
    if (typeof value !== "string" || value === "" || accepted.includes(value)) continue;
    // A value with a tag is known only at run time.
    if (value.includes("{{") || containsPlaceholder(value)) continue;
    const message = `expected one of ${accepted.join(", ")}, got ${JSON.stringify(value)}${
      didYouMean(value, accepted)
    }`;
    report.addFinding(place.pathTo(field), { offset: 0, severity: "error", message });
  }
}

/** The enumerated values of pod fields: with an invalid one, the API server rejects the pod. */
import { didYouMean } from "@tiphys/base/nearest_name";
import { holdsPlaceholder } from "../template/scope.ts";
import type { Place, Report } from "./report.ts";

/** The values of container fields. */
const CONTAINER_WORDS: Readonly<Record<string, readonly string[]>> = {
  imagePullPolicy: ["Always", "IfNotPresent", "Never"],
  terminationMessagePolicy: ["File", "FallbackToLogsOnError"],
};

/** The values of pod fields. */
const POD_WORDS: Readonly<Record<string, readonly string[]>> = {
  dnsPolicy: ["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"],
};

/** The values of toleration fields. */
const TOLERATION_WORDS: Readonly<Record<string, readonly string[]>> = {
  operator: ["Exists", "Equal"],
  effect: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
};

/** Reports invalid values in a container. */
export function checkContainerWords(report: Report, container: object, place: Place): void {
  checkWords(report, container, CONTAINER_WORDS, place);
}

/** Reports invalid values in the pod fields of a template or spec. */
export function checkPodWords(report: Report, pod: { readonly tolerations?: readonly object[] }, place: Place): void {
  checkWords(report, pod, POD_WORDS, place);
  for (const [index, toleration] of (pod.tolerations ?? []).entries()) {
    checkWords(report, toleration, TOLERATION_WORDS, place.part(place.name, "tolerations", index));
  }
}

/** Reports to lint only: the pod may never be created, so the workflow is not rejected. */
function checkWords(
  report: Report,
  holder: object,
  words: Readonly<Record<string, readonly string[]>>,
  place: Place,
): void {
  if (!report.judgesExpressions) return;
  for (const [field, accepted] of Object.entries(words)) {
    const value: unknown = (holder as Readonly<Record<string, unknown>>)[field];
    if (typeof value !== "string" || value === "" || accepted.includes(value)) continue;
    // A value with a tag is known only at run time.
    if (value.includes("{{") || holdsPlaceholder(value)) continue;
    const message = `expected one of ${accepted.join(", ")}, got ${JSON.stringify(value)}${
      didYouMean(value, accepted)
    }`;
    report.find(place.at(field), { offset: 0, severity: "error", message });
  }
}

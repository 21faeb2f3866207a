/** The words that Kubernetes accepts in fields of pods: a misspelled one makes a pod that the API server refuses. */
import { didYouMean } from "@tiphys/base/nearest_name";
import { holdsPlaceholder } from "../template/scope.ts";
import type { Place, Report } from "./report.ts";

/** The words of fields of a container. */
const CONTAINER_WORDS: Readonly<Record<string, readonly string[]>> = {
  imagePullPolicy: ["Always", "IfNotPresent", "Never"],
  terminationMessagePolicy: ["File", "FallbackToLogsOnError"],
};

/** The words of fields of a pod. */
const POD_WORDS: Readonly<Record<string, readonly string[]>> = {
  dnsPolicy: ["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"],
};

/** The words of fields of a toleration. */
const TOLERATION_WORDS: Readonly<Record<string, readonly string[]>> = {
  operator: ["Exists", "Equal"],
  effect: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
};

/** Finds the words of a container that Kubernetes does not accept. */
export function checkContainerWords(report: Report, container: object, place: Place): void {
  checkWords(report, container, CONTAINER_WORDS, place);
}

/** Finds the words of a template or spec, as far as they are fields of its pods, that Kubernetes does not accept. */
export function checkPodWords(report: Report, pod: { readonly tolerations?: readonly object[] }, place: Place): void {
  checkWords(report, pod, POD_WORDS, place);
  for (const [index, toleration] of (pod.tolerations ?? []).entries()) {
    checkWords(report, toleration, TOLERATION_WORDS, place.part(place.name, "tolerations", index));
  }
}

/** The pod may never be made, so a run is not refused: lint finds it. */
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

/** The enumerated values and the images of pods: with an invalid one, a pod is rejected or never starts. */
import { didYouMean } from "@tiphys/base/nearest_name";
import type { Container } from "@tiphys/model/api";
import { ImageError } from "@tiphys/registry/image_error";
import { parseReference } from "@tiphys/registry/reference";
import { containsPlaceholder } from "../template/scope.ts";
import type { FieldLocation, Report } from "./report.ts";

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
export function checkContainerValues(
  report: Report,
  container: Pick<Container, "image">,
  fieldPath: FieldLocation,
): void {
  checkFieldValues(report, container, CONTAINER_VALUES, fieldPath);
  checkImageReference(report, container.image, fieldPath);
}

/** Reports an image that no kubelet accepts to lint only, like {@link checkFieldValues}. */
function checkImageReference(report: Report, image: string | undefined, fieldPath: FieldLocation): void {
  if (!report.judgesExpressions || !image || isKnownLater(image) || isReference(image)) return;
  const message = `invalid image reference ${JSON.stringify(image)}`;
  report.addFinding(fieldPath.pathTo("image"), { offset: 0, severity: "error", message });
}

function isReference(image: string): boolean {
  // Kubernetes also accepts digests of other algorithms.
  const name = image.replace(/@(?!sha256:)[a-z0-9]+:[0-9a-f]{32,}$/, "");
  try {
    parseReference(name);
    return true;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return false;
  }
}

/** Reports invalid values in the pod fields of a template or spec. */
export function checkPodValues(
  report: Report,
  pod: { readonly tolerations?: readonly object[] },
  fieldPath: FieldLocation,
): void {
  checkFieldValues(report, pod, POD_VALUES, fieldPath);
  for (const [index, toleration] of (pod.tolerations ?? []).entries()) {
    checkFieldValues(report, toleration, TOLERATION_VALUES, fieldPath.part(fieldPath.name, "tolerations", index));
  }
}

/** Reports to lint only: the pod may never be created, so the workflow is not rejected. */
function checkFieldValues(
  report: Report,
  holder: object,
  allowedValues: Readonly<Record<string, readonly string[]>>,
  fieldPath: FieldLocation,
): void {
  if (!report.judgesExpressions) return;
  for (const [field, accepted] of Object.entries(allowedValues)) {
    const value: unknown = (holder as Readonly<Record<string, unknown>>)[field];
    if (typeof value !== "string" || value === "" || accepted.includes(value)) continue;
    if (isKnownLater(value)) continue;
    const message = `expected one of ${accepted.join(", ")}, got ${JSON.stringify(value)}${
      didYouMean(value, accepted)
    }`;
    report.addFinding(fieldPath.pathTo(field), { offset: 0, severity: "error", message });
  }
}

/** Whether a value has a tag, so that it is known only at run time. */
function isKnownLater(value: string): boolean {
  return value.includes("{{") || containsPlaceholder(value);
}

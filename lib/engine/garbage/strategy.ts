/** The account that deletes an artifact: what the artifact says goes before what its workflow says. */
import type { Artifact, Metadata, WorkflowSpec } from "@tiphys/model/api";

/** The service account that deletes artifacts, and the labels and annotations of its pod. */
export interface CollectorAccess {
  /** The name of the account; empty where neither the artifact nor the workflow names one. */
  readonly serviceAccountName: string;
  readonly metadata: Required<Metadata>;
}

/** The account that deletes an artifact, with the labels and annotations of its pod. */
export function accessOf(spec: WorkflowSpec, artifact: Pick<Artifact, "artifactGC">): CollectorAccess {
  const levels = [spec.artifactGC, artifact.artifactGC];
  return {
    serviceAccountName: artifact.artifactGC?.serviceAccountName || spec.artifactGC?.serviceAccountName || "",
    metadata: {
      labels: Object.assign({}, ...levels.map((level) => level?.podMetadata?.labels)),
      annotations: Object.assign({}, ...levels.map((level) => level?.podMetadata?.annotations)),
    },
  };
}

/** The text that tells two accesses apart, in the bytes from which Argo makes the names of its pods. */
export function accessText({ serviceAccountName, metadata: { labels, annotations } }: CollectorAccess): string {
  const written = (entries: Record<string, string>) => Object.entries(entries).sort(byBytes).flat();
  return [serviceAccountName, ...written(labels), ...written(annotations)].join("");
}

const encoder = new TextEncoder();

/** Compares two keys by their bytes in UTF-8, as Go does. */
function byBytes([a]: [string, string], [b]: [string, string]): number {
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left[index] !== right[index]) return left[index]! - right[index]!;
  }
  return left.length - right.length;
}

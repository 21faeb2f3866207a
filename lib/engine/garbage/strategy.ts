/** The account that deletes an artifact. Settings of the artifact take precedence over those of its workflow. */
import type { Artifact, Metadata, WorkflowSpec } from "@tiphys/model/api";

/** The service account that deletes artifacts, and the labels and annotations of its pod. */
export interface CollectorAccess {
  /** The name of the account; empty if neither the artifact nor the workflow has one. */
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

/** The text that identifies an access, with the same bytes from which Argo derives the names of its pods. */
export function accessText({ serviceAccountName, metadata: { labels, annotations } }: CollectorAccess): string {
  const entryTexts = (entries: Record<string, string>) => Object.entries(entries).sort(byBytes).flat();
  return [serviceAccountName, ...entryTexts(labels), ...entryTexts(annotations)].join("");
}

const encoder = new TextEncoder();

/** Compares two keys by their UTF-8 bytes, as Go does. */
function byBytes([a]: [string, string], [b]: [string, string]): number {
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left[index] !== right[index]) return left[index]! - right[index]!;
  }
  return left.length - right.length;
}

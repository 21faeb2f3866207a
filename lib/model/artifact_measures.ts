/**
 * The measures of saved artifacts: digest, size and number of objects. Argo's schema has no fields for them, so an API
 * server with Argo's CRDs drops them. A report carries them in an annotation, and nothing depends on them.
 */
import { fieldsOf, isObject, ownField } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";

/** The measures of one artifact. */
export interface ArtifactMeasures {
  /** `sha256:HEX` of the content; undefined for a folder of several objects. */
  readonly digest?: string | undefined;
  /** Size in bytes. */
  readonly size?: number | undefined;
  /** The number of objects of a folder. */
  readonly objects?: number | undefined;
}

/** The fields of an artifact that hold measures. */
export const MEASURES = ["digest", "size", "objects"] as const satisfies readonly (keyof ArtifactMeasures)[];

/** Maximum characters of the measures in a report; Kubernetes limits all annotations of an object to 256 KiB. */
const MAX_CHARACTERS = 100_000;

/** Returns an artifact without its measures; any other value unchanged. */
export function withoutMeasures<T>(artifact: T): T {
  if (!isObject(artifact) || !MEASURES.some((name) => name in artifact)) return artifact;
  const { digest: _, size: __, objects: ___, ...others } = artifact;
  return others as T;
}

/** Formats the measures of artifacts; undefined without any, or above the limit of an annotation. */
export function formatMeasures(
  artifacts: readonly (ArtifactMeasures & { readonly name: string })[],
): string | undefined {
  const entries = artifacts.flatMap(({ name, digest, size, objects }) =>
    (digest ?? size ?? objects) === undefined ? [] : [[name, { digest, size, objects }] as const]
  );
  if (entries.length === 0) return undefined;
  const text = JSON.stringify(Object.fromEntries(entries));
  return text.length > MAX_CHARACTERS ? undefined : text;
}

/** Replaces the measures of artifacts with those from the output of {@link formatMeasures}. */
export function withMeasures<T extends { readonly name: string }>(artifacts: readonly T[], text: string): T[] {
  const all = fieldsOfJson(text);
  return artifacts.map((artifact) => {
    const { digest, size, objects } = fieldsOf(ownField(all, artifact.name));
    return {
      ...withoutMeasures(artifact),
      ...(typeof digest === "string" ? { digest } : {}),
      ...(isCount(size) ? { size } : {}),
      ...(isCount(objects) ? { objects } : {}),
    };
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * The measures of saved artifacts: digest, size and number of objects. Argo's schema has no fields for them, so an API
 * server that has Argo's CRDs drops them: a report carries them in an annotation, and nothing depends on them.
 */
import { fieldsOf, isObject, ownField } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";

/** The measures of one artifact. */
export interface ArtifactMeasures {
  /** `sha256:HEX` of the content; a folder of several objects has none. */
  readonly digest?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  /** The number of objects of a folder. */
  readonly objects?: number | undefined;
}

/** Names the measures among the fields of an artifact. */
export const MEASURES = ["digest", "size", "objects"] as const satisfies readonly (keyof ArtifactMeasures)[];

/** The most characters of measures in a report; all annotations of an object may have 256 KiB together. */
const MOST_CHARACTERS = 100_000;

/** An artifact without its measures; anything else unchanged. */
export function withoutMeasures<T>(artifact: T): T {
  if (!isObject(artifact) || !MEASURES.some((name) => name in artifact)) return artifact;
  const { digest: _, size: __, objects: ___, ...others } = artifact;
  return others as T;
}

/** Writes the measures of artifacts as text; undefined where there are none, or too many for an annotation. */
export function formatMeasures(
  artifacts: readonly (ArtifactMeasures & { readonly name: string })[],
): string | undefined {
  const entries = artifacts.flatMap(({ name, digest, size, objects }) =>
    (digest ?? size ?? objects) === undefined ? [] : [[name, { digest, size, objects }] as const]
  );
  if (entries.length === 0) return undefined;
  const text = JSON.stringify(Object.fromEntries(entries));
  return text.length > MOST_CHARACTERS ? undefined : text;
}

/** Gives artifacts the measures of a text that {@link formatMeasures} wrote, in place of their own. */
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

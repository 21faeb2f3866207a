/** Where an artifact that comes `from` another really lies. */
import type { Artifact } from "../../lib/api/mod.ts";
import { evaluate, replaceTags, resolveVariable } from "../../lib/template/mod.ts";
import type { Scope } from "./scope.ts";

/**
 * The artifact that `from` or `fromExpression` means, with `subPath` added to its key; undefined when neither is set.
 * @throws {Error} "Unable to resolve …" when there is none.
 */
export function resolveArtifact(artifact: Artifact, scope: Scope): Artifact | undefined {
  if (!artifact.from && !artifact.fromExpression) return undefined;
  const source = artifact.fromExpression ? computed(artifact.fromExpression, scope) : lookUp(artifact.from!, scope);
  if (!artifact.subPath) return source;
  return withSubPath(source, replaceTags(artifact.subPath, scope.values, { kind: "lenient" }));
}

function lookUp(from: string, scope: Scope): Artifact {
  const { value } = resolveVariable(from, scope.withArtifacts());
  if (typeof value === "object" && value !== null) return value as unknown as Artifact;
  throw new Error(`Variable ${from} is not an artifact`);
}

function computed(expression: string, scope: Scope): Artifact {
  const value = evaluate(expression, scope.withArtifacts());
  if (typeof value !== "object" || value === null || !("name" in value)) {
    throw new Error(`Unable to resolve: fromExpression "${expression}" gives no artifact`);
  }
  return value as unknown as Artifact;
}

const KEYED = ["s3", "gcs", "oss", "http", "hdfs", "azure", "plugin"] as const;

function withSubPath(artifact: Artifact, subPath: string): Artifact {
  const location = artifact as Record<string, unknown>;
  for (const driver of KEYED) {
    const block = location[driver] as Record<string, string> | undefined;
    if (!block) continue;
    const field = driver === "azure" ? "blob" : driver === "hdfs" ? "path" : driver === "http" ? "url" : "key";
    return { ...artifact, [driver]: { ...block, [field]: joinPath(block[field] ?? "", subPath) } };
  }
  if (artifact.optional) return artifact;
  throw new Error(`Unable to resolve: artifact "${artifact.name}" has no key that subPath "${subPath}" could extend`);
}

function joinPath(base: string, rest: string): string {
  return `${base.replace(/\/+$/, "")}/${rest.replace(/^\/+/, "")}`;
}

/** The location of an artifact with `from` or `fromExpression`. */
import { UserError } from "@tiphys/base/user_error";
import { type Artifact, Artifact as ArtifactSchema, formatFieldError, parseWith } from "@tiphys/model/api";
import { marshalJson } from "@tiphys/base/go";
import { keyOf, LocationError, withSubPath } from "@tiphys/model/artifact/location";
import { evaluate, isValue, replaceField, resolveVariable } from "@tiphys/language/template";
import type { Scope } from "./scope.ts";

/**
 * Returns the artifact to which `from` or `fromExpression` refers, with `subPath` added to its key; undefined if
 * neither is set.
 * @throws {Error} "Unable to resolve …" if the artifact does not exist.
 */
export function resolveArtifact(artifact: Artifact, scope: Scope): Artifact | undefined {
  if (!artifact.from && !artifact.fromExpression) return undefined;
  const source = artifact.fromExpression
    ? computeArtifact(artifact.fromExpression, scope)
    : lookUpArtifact(artifact, scope);
  if (!artifact.subPath) return source;
  return artifactPart(source, replaceField(artifact, "subPath", scope.values, { kind: "lenient" })!);
}

function lookUpArtifact(artifact: Artifact, scope: Scope): Artifact {
  const from = artifact.from!;
  if (isValue(artifact, "from") && from.startsWith("{{")) {
    throw new UserError(`Unable to resolve: ${JSON.stringify(from)}`);
  }
  const { value } = resolveVariable(from, scope.withArtifacts());
  const found = scope.asArtifact(value);
  if (found) return found;
  throw new UserError(`Variable ${from} is not an artifact`);
}

function computeArtifact(expression: string, scope: Scope): Artifact {
  const value = evaluate(expression, scope.withArtifacts());
  const found = scope.asArtifact(value);
  if (found) return found;
  const message = `Unable to resolve: fromExpression "${expression}" gives no artifact`;
  if (typeof value !== "object" || value === null || !("name" in value)) throw new UserError(message);
  // A map that the expression returns is user input, so it is parsed like any other.
  const parsed = parseWith(ArtifactSchema, JSON.parse(marshalJson(value)), "lenient");
  if (parsed.ok) return parsed.value;
  throw new UserError(`${message}: ${parsed.errors.slice(0, 3).map(formatFieldError).join("; ")}`);
}

/**
 * Returns the part of an artifact at a path below its key.
 * @throws {UserError} if it has no key, or the path leaves it.
 */
export function artifactPart(artifact: Artifact, subPath: string): Artifact {
  try {
    const found = withSubPath(artifact, subPath);
    if (found === artifact) return artifact;
    // The digest, size and object count describe the whole artifact, not the part.
    const { digest: _, size: __, objects: ___, ...part } = found;
    return part;
  } catch (error) {
    if (!(error instanceof LocationError)) throw error;
    if (artifact.optional && keyOf(artifact) === undefined) return artifact;
    throw new UserError(`Unable to resolve: artifact "${artifact.name}": ${error.message}`, { cause: error });
  }
}

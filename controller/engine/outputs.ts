/** What a steps or DAG template hands out, taken from the scope of its steps or tasks. */
import type { Artifact, Outputs, Parameter, Template } from "../../lib/api/mod.ts";
import { outputParameters } from "../../lib/template/mod.ts";
import { resolveArtifact } from "./artifacts.ts";
import type { Scope } from "./scope.ts";

/**
 * The outputs of a template; undefined when it declares none.
 * @throws {TemplateError} when one cannot be had and has no default.
 */
export function templateOutputs(template: Template, scope: Scope): Outputs | undefined {
  const { parameters, artifacts } = template.outputs ?? {};
  if (!parameters?.length && !artifacts?.length) return undefined;
  return {
    ...(parameters?.length ? { parameters: outputParameters(parameters, scope.withArtifacts()) as Parameter[] } : {}),
    ...(artifacts?.length ? { artifacts: artifacts.flatMap((artifact) => outputArtifact(artifact, scope)) } : {}),
  };
}

function outputArtifact(artifact: Artifact, scope: Scope): Artifact[] {
  try {
    const source = resolveArtifact(artifact, scope);
    if (!source) return [];
    return [{ ...source, name: artifact.name, ...(artifact.globalName ? { globalName: artifact.globalName } : {}) }];
  } catch (error) {
    if (artifact.optional) return [];
    throw new Error(`unable to resolve outputs from scope: ${(error as Error).message}`, { cause: error });
  }
}

/** The outputs of a steps or DAG template, resolved in the scope of its steps or tasks. */
import { UserError } from "@tiphys/base/user_error";
import type { Artifact, Outputs, Parameter, Template } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { outputParameters } from "@tiphys/language/template";
import { resolveArtifact } from "./artifacts.ts";
import type { Scope } from "./scope.ts";

/**
 * Returns the outputs of a template; undefined if it does not declare outputs.
 * @throws {TemplateError} if one has neither a value nor a default.
 */
export function templateOutputs(template: Template, scope: Scope): Outputs | undefined {
  const { parameters, artifacts } = template.outputs ?? {};
  if (!parameters?.length && !artifacts?.length) return undefined;
  return {
    ...(parameters?.length ? { parameters: parameterOutputs(parameters, scope) } : {}),
    ...(artifacts?.length ? { artifacts: artifacts.flatMap((artifact) => outputArtifact(artifact, scope)) } : {}),
  };
}

/** Resolves the output parameters one by one, so that their total size is checked early. */
function parameterOutputs(parameters: readonly Parameter[], scope: Scope): Parameter[] {
  const values = scope.withArtifacts();
  let size = 0;
  return parameters.flatMap((parameter) => {
    const outputs = outputParameters([parameter], values) as Parameter[];
    for (const { value } of outputs) size += value?.length ?? 0;
    if (size <= LIMITS.nodeBytes) return outputs;
    throw new UserError(
      `the outputs of a node may take ${LIMITS.nodeBytes} bytes, and with outputs.parameters.${parameter.name} they would take ${size}`,
    );
  });
}

function outputArtifact(artifact: Artifact, scope: Scope): Artifact[] {
  try {
    const source = resolveArtifact(artifact, scope);
    if (!source) return [];
    return [{ ...source, name: artifact.name, ...(artifact.globalName ? { globalName: artifact.globalName } : {}) }];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (artifact.optional) return [];
    throw new UserError(`unable to resolve outputs from scope: ${error.message}`, { cause: error });
  }
}

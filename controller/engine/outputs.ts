/** What a steps or DAG template hands out, taken from the scope of its steps or tasks. */
import type { Outputs, Parameter, Template } from "../../lib/api/mod.ts";
import { compileExpression, environment, toText, unwrapTag } from "../../lib/template/mod.ts";
import { resolveArtifact } from "./artifacts.ts";
import type { Pass } from "./pass.ts";
import type { Scope } from "./scope.ts";

/**
 * The outputs of a template; undefined when it declares none.
 * @throws {Error} when one cannot be had and has no default.
 */
export function templateOutputs(pass: Pass, template: Template, scope: Scope): Outputs | undefined {
  const declared = template.outputs;
  if (!declared?.parameters?.length && !declared?.artifacts?.length) return undefined;
  return {
    ...(declared.parameters?.length
      ? { parameters: declared.parameters.map((parameter) => outputParameter(parameter, scope)) }
      : {}),
    ...(declared.artifacts?.length
      ? {
        artifacts: declared.artifacts.flatMap((artifact) => {
          try {
            const source = resolveArtifact(pass, artifact, scope);
            return source ? [{ ...source, name: artifact.name, ...globalNameOf(artifact) }] : [];
          } catch (error) {
            if (artifact.optional) return [];
            throw new Error(`unable to resolve outputs from scope: ${(error as Error).message}`);
          }
        }),
      }
      : {}),
  };
}

function globalNameOf(artifact: { globalName?: string }): { globalName?: string } {
  return artifact.globalName ? { globalName: artifact.globalName } : {};
}

function outputParameter(parameter: Parameter, scope: Scope): Parameter {
  const { valueFrom, ...rest } = parameter;
  if (!valueFrom) throw new Error("output parameters must have a valueFrom specified");
  let value: string | null;
  try {
    value = resolveValue(valueFrom, scope);
  } catch (error) {
    if (valueFrom.default === undefined) throw error;
    value = valueFrom.default;
  }
  value ??= valueFrom.default ?? null;
  if (value === null) {
    throw new Error(
      `output parameter "${parameter.name}": "${valueFrom.parameter ?? ""}" is an absent optional ` +
        "(skipped/omitted node output with no default)",
    );
  }
  return { ...rest, value };
}

function resolveValue(from: NonNullable<Parameter["valueFrom"]>, scope: Scope): string | null {
  if (from.expression) {
    const value = compileExpression(from.expression).run(environment(artifactsAndValues(scope)));
    if (value === null || value === undefined) throw new Error(`failed to evaluate expression "${from.expression}"`);
    return toText(value);
  }
  if (!from.parameter) return "";
  const key = unwrapTag(from.parameter);
  if (from.parameter.includes("{{=")) {
    const source = from.parameter.trim().replace(/^\{\{=/, "").replace(/\}\}$/, "");
    const value = compileExpression(source).run(environment(artifactsAndValues(scope)));
    if (value === null || value === undefined) throw new Error(`failed to evaluate expression "${source}"`);
    return toText(value);
  }
  const value = scope.values.get(key);
  if (value === undefined) throw new Error(`Unable to resolve: {{${key}}}`);
  return value;
}

function artifactsAndValues(scope: Scope): Map<string, unknown> {
  const flat = new Map<string, unknown>(scope.values);
  for (const [key, artifact] of scope.artifacts) flat.set(key, artifact);
  return flat;
}

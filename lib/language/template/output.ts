/** The outputs of a steps or DAG template, computed from the outputs of its steps or tasks. */
import { UserError } from "@tiphys/base/user_error";
import { formatValue } from "@tiphys/base/go/format_value";
import { quote } from "@tiphys/base/go/quote";
import { trimSpace } from "@tiphys/base/go/text";
import type { Value } from "@tiphys/base/go/value";
import { TemplateError } from "./error.ts";
import { compileFor, environment, evaluate, ExpressionError } from "./expr/mod.ts";
import { isExpressionTag } from "./expression_switch.ts";
import { unescapeHtml } from "./json_text.ts";
import type { ParameterFields } from "./parameter.ts";
import { isValue } from "./plan.ts";
import type { Scope } from "./scope.ts";

/** An output parameter as written. */
export interface OutputParameter extends ParameterFields {
  readonly valueFrom?: { readonly parameter?: string; readonly expression?: string; readonly default?: string };
}

/**
 * Resolves the text of `valueFrom.parameter` or of an artifact's `from`: a name with or without braces, or an
 * expression in braces, which sees the values unchanged and none of Argo's functions. Null means a skipped producer.
 * @throws {TemplateError} when the name does not exist.
 */
export function resolveVariable(text: string, scope: Scope): { tag: string; value: Value } {
  const tag = trimSpace(text.replace(/^\{\{/, "").replace(/\}\}$/, ""));
  if (isExpressionTag(tag)) return { tag, value: expressionValue(tag, scope) };
  const value = scope.get(tag);
  if (value === undefined) throw new TemplateError(`Unable to resolve: ${quote(tag)}`);
  return { tag, value };
}

function expressionValue(tag: string, scope: Scope): Value {
  const source = unescapeHtml(tag.slice(1));
  const env = Object.fromEntries(scope);
  let value: Value;
  try {
    value = compileFor(source, env).run(env);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const what = error.phase === "compile" ? "Unable to compile" : "Invalid expression";
    throw new TemplateError(`${what}: ${quote(source)}`, { cause: error });
  }
  if (value === null) throw new TemplateError(`Unable to resolve: ${quote(tag)}`);
  return value;
}

/**
 * Returns the outputs with their values. A `valueFrom` without a source gives the empty string. If a name or an
 * expression has no value, the declared default is used.
 * @throws when there is no default, or an output has no `valueFrom`.
 */
export function outputParameters(declared: readonly OutputParameter[], scope: Scope): ParameterFields[] {
  return declared.map((output) => {
    const { valueFrom, ...rest } = output;
    if (!valueFrom) throw new TemplateError("output parameters must have a valueFrom specified");
    return { ...rest, value: outputValue(output.name, valueFrom, scope) };
  });
}

function outputValue(name: string, from: NonNullable<OutputParameter["valueFrom"]>, scope: Scope): string {
  let value: Value;
  try {
    if (from.expression) value = computeValue(from.expression, scope);
    else if (from.parameter && isValue(from, "parameter") && from.parameter.startsWith("{{")) {
      throw new TemplateError(`Unable to resolve: ${quote(from.parameter)}`);
    } else value = from.parameter ? resolveVariable(from.parameter, scope).value : "";
  } catch (error) {
    if (from.default === undefined || !(error instanceof UserError)) throw error;
    return from.default;
  }
  if (value !== null) return formatValue(value).toWellFormed();
  if (from.default !== undefined) return from.default;
  throw new TemplateError(
    `output parameter "${name}": "${from.parameter}" is an absent optional ` +
      "(skipped/omitted node output with no default)",
  );
}

function computeValue(expression: string, scope: Scope): Value {
  const value = evaluate(expression, environment(scope));
  if (value === null) throw new TemplateError(`failed to evaluate expression ${quote(expression)}`);
  return value;
}

/** Substitutes the tags of a template with the values that are known before a run. */
import type { Arguments, Artifact, Parameter, Template } from "@tiphys/model/api";
import { substituteParameters } from "../template/arguments.ts";
import { TemplateError } from "../template/error.ts";
import { MeterError } from "../template/expr/meter.ts";
import { placeholder } from "../template/scope.ts";
import { isClosed } from "../template/tags.ts";
import { isPodType, type TemplateType } from "@tiphys/model/templates";
import type { Callee } from "./call.ts";
import type { Report } from "./report.ts";
import type { Scope } from "./scope.ts";

const RETRY_NAMES = [
  "retries",
  "lastRetry.exitCode",
  "lastRetry.status",
  "lastRetry.duration",
  "lastRetry.message",
];

/** The names and values that are known in a document before it runs. */
export interface KnownValues {
  readonly report: Report;
  /** Global names. */
  readonly globals: Scope;
  /** Globals with known values: the workflow's own parameters. */
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Returns the template with all tags substituted that have a value when it starts; values that are only known at run
 * time become placeholders. The remaining tags are resolved later or never. If substitution fails, the template is
 * returned unchanged with a `problem`.
 */
export function filledTemplate(
  callee: Callee,
  type: TemplateType,
  { report, globals, values }: KnownValues,
): { readonly filled: Template; readonly problem?: string } {
  const known = new Map<string, string>();
  let index = 0;
  const hold = (name: string) => known.set(name, placeholder(index++));
  for (const name of globals.names()) hold(name);
  for (const [name, value] of values) known.set(name, value);
  if (isPodType(type)) hold("pod.name");
  const template = callee.outer?.filled ?? callee.template;
  if (template.retryStrategy) RETRY_NAMES.forEach(hold);
  const inputs = template.inputs && {
    parameters: template.inputs.parameters?.map((input) => suppliedParameter(input, callee.runArguments, index++)),
    artifacts: template.inputs.artifacts?.map((input) => suppliedArtifact(input, callee.runArguments)),
  };
  try {
    return { filled: substituteParameters({ ...template, ...(inputs && { inputs }) }, known, new Map()) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    if (error instanceof MeterError && !report.reportsTimeout(error)) return { filled: template };
    // Whether an unclosed tag fails depends on the text after it; it is reported with the other tags.
    return isClosed(JSON.stringify(template)) ? { filled: template, problem: error.message } : { filled: template };
  }
}

/** Returns the input as supplied. For an unknown caller it has some value, and the template's own value is not used. */
function suppliedParameter(input: Parameter, supplied: Arguments | undefined, index: number): Parameter {
  const { value, valueFrom } = supplied ? sourceOf(input, supplied) : {};
  const isSupplied = value !== undefined || valueFrom !== undefined;
  return withoutUndefined({ ...input, value: isSupplied ? value : placeholder(index), valueFrom });
}

/** Returns the source of an input's value: an argument replaces all sources of the input. */
function sourceOf(input: Parameter, supplied: Arguments): Pick<Parameter, "value" | "valueFrom"> {
  const argument = supplied.parameters?.find(({ name }) => name === input.name);
  if (!argument) return { value: input.value ?? input.default, valueFrom: input.valueFrom };
  return argument.value === undefined ? { valueFrom: argument.valueFrom } : { value: argument.value };
}

function suppliedArtifact(input: Artifact, supplied: Arguments | undefined): Artifact {
  const argument = supplied ? supplied.artifacts?.find(({ name }) => name === input.name) : { name: input.name };
  const { path, mode, recurseMode } = input;
  return argument ? withoutUndefined({ ...argument, path, mode, recurseMode }) : input;
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** Templates with their tags filled in as when they start, as far as can be told before. */
import type { Arguments, Artifact, Parameter, Template } from "@tiphys/model/api";
import { substituteParameters } from "../template/arguments.ts";
import { TemplateError } from "../template/error.ts";
import { MeterError } from "../template/expr/meter.ts";
import { placeholder } from "../template/scope.ts";
import { isClosed } from "../template/tags.ts";
import { isPodType, type TemplateType } from "@tiphys/model/status";
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
  /** The globals that have a value already: the workflow's own parameters. */
  readonly values: ReadonlyMap<string, string>;
}

/**
 * The template with every tag filled in that has a value when the template starts; a placeholder stands for what only a
 * run can know. What is left are tags that come later, or never. A template that cannot be filled in stays as it is, and
 * `problem` says why.
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
  const template = callee.surroundings?.filled ?? callee.template;
  if (template.retryStrategy) RETRY_NAMES.forEach(hold);
  const inputs = template.inputs && {
    parameters: template.inputs.parameters?.map((input) => suppliedParameter(input, callee.given, index++)),
    artifacts: template.inputs.artifacts?.map((input) => suppliedArtifact(input, callee.given)),
  };
  try {
    return { filled: substituteParameters({ ...template, ...(inputs && { inputs }) }, known, new Map()) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    if (error instanceof MeterError && !report.tellsOf(error)) return { filled: template };
    // Whether a tag that is not closed fails depends on what follows it; which one it is is told with the other tags.
    return isClosed(JSON.stringify(template)) ? { filled: template, problem: error.message } : { filled: template };
  }
}

/** The input as it is supplied. Without a known caller it has some value, and the template's own is never looked at. */
function suppliedParameter(input: Parameter, given: Arguments | undefined, index: number): Parameter {
  const { value, valueFrom } = given ? sourceOf(input, given) : {};
  const isSupplied = value !== undefined || valueFrom !== undefined;
  return withoutUndefined({ ...input, value: isSupplied ? value : placeholder(index), valueFrom });
}

/** The source of an input's value: an argument replaces all that the input says of it. */
function sourceOf(input: Parameter, given: Arguments): Pick<Parameter, "value" | "valueFrom"> {
  const argument = given.parameters?.find(({ name }) => name === input.name);
  if (!argument) return { value: input.value ?? input.default, valueFrom: input.valueFrom };
  return argument.value === undefined ? { valueFrom: argument.valueFrom } : { value: argument.value };
}

function suppliedArtifact(input: Artifact, given: Arguments | undefined): Artifact {
  const argument = given ? given.artifacts?.find(({ name }) => name === input.name) : { name: input.name };
  const { path, mode, recurseMode } = input;
  return argument ? withoutUndefined({ ...argument, path, mode, recurseMode }) : input;
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

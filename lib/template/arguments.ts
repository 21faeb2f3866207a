/**
 * A template called with arguments: each input takes its value from the arguments, a ConfigMap, itself or its default,
 * and then two passes fill in the template's tags.
 */
import { ABSENT_ARGUMENT } from "./absent_argument.ts";
import { type ArtifactFields, hasLocationOrKey } from "./artifact_location.ts";
import { TemplateError } from "./error.ts";
import { type ParameterFields, parametersJson } from "./parameter.ts";
import { renderText } from "./render.ts";
import { replaceTags } from "./replace.ts";
import type { Values } from "./scope.ts";

/** A key of a ConfigMap. */
export interface ConfigMapKey {
  readonly name?: string;
  readonly key: string;
}

/** What is read of an input parameter or an argument. */
export interface InputParameter extends ParameterFields {
  readonly valueFrom?: { readonly configMapKeyRef?: ConfigMapKey; readonly default?: string; readonly path?: string };
}

/** What is read of an input or output artifact. */
export interface InputArtifact {
  readonly name: string;
  readonly path?: string;
  readonly mode?: number;
  readonly recurseMode?: boolean;
  readonly optional?: boolean;
}

/** What is read of a template. */
export interface CalledTemplate {
  readonly name?: string;
  readonly inputs?: { readonly parameters?: readonly InputParameter[]; readonly artifacts?: readonly InputArtifact[] };
  readonly outputs?: { readonly parameters?: readonly InputParameter[]; readonly artifacts?: readonly InputArtifact[] };
}

/** What is read of arguments. */
export interface CallArguments {
  readonly parameters?: readonly InputParameter[];
  readonly artifacts?: readonly InputArtifact[];
}

/** What a call knows besides its arguments. */
export interface CallContext {
  readonly globals: Values;
  /** `pod.name`, `node.name`, `steps.name` or `tasks.name`. */
  readonly locals: Values;
  /** Looks a ConfigMap's key up, and throws where it cannot. Without it, inputs that need one stay without a value. */
  readonly configMapValue?: (key: Required<ConfigMapKey>) => string;
}

/**
 * The template with its inputs given and its tags filled in. Throws a `TemplateError` when an input has no value, an
 * artifact no place, or an expression does not parse.
 */
export function processArguments<T extends CalledTemplate>(template: T, args: CallArguments, context: CallContext): T {
  const { inputs } = template;
  const parameters = inputs?.parameters?.map((input) => inputParameter(input, args, context));
  const artifacts = inputs?.artifacts?.map((input) => inputArtifact(input, args));
  const given = {
    ...inputs,
    ...(parameters ? { parameters } : {}),
    ...(artifacts ? { artifacts } : {}),
  };
  return substituteParameters(inputs ? { ...template, inputs: given } : template, context.globals, context.locals);
}

function inputParameter(input: InputParameter, args: CallArguments, context: CallContext): InputParameter {
  const argument = args.parameters?.find(({ name }) => name === input.name);
  let given: InputParameter = { ...input, value: input.value ?? input.default };
  if (argument?.value === ABSENT_ARGUMENT) {
    if (given.value === undefined && given.valueFrom === undefined) {
      throw new TemplateError(
        `inputs.parameters.${input.name}: argument references an absent optional ` +
          "(skipped/omitted node output with no default)",
      );
    }
  } else if (argument?.value !== undefined) {
    given = { ...given, value: argument.value, valueFrom: undefined };
  } else if (argument) {
    // An argument that is named but empty takes value and default away.
    given = { ...given, value: undefined, valueFrom: argument.valueFrom };
  }
  const key = given.valueFrom?.configMapKeyRef;
  if (key) given = { ...given, value: fromConfigMap(given, key, context) ?? given.value };
  else if (given.value === undefined) throw new TemplateError(`inputs.parameters.${input.name} was not supplied`);
  return withoutUndefined(given);
}

function fromConfigMap(
  input: InputParameter,
  { name = "", key }: ConfigMapKey,
  context: CallContext,
): string | undefined {
  if (!context.configMapValue) return undefined;
  const at = {
    name: renderText(name, context.globals, { kind: "all" }),
    key: renderText(key, context.globals, { kind: "all" }),
  };
  try {
    return context.configMapValue(at);
  } catch (error) {
    if (input.valueFrom?.default !== undefined) return input.valueFrom.default;
    const reason = (error as Error).message;
    throw new TemplateError(`unable to retrieve inputs.parameters.${input.name} from ConfigMap: ${reason}`, {
      cause: error,
    });
  }
}

/** An artifact comes from the arguments whole; where it is put and how stays the template's choice. */
function inputArtifact(input: InputArtifact, args: CallArguments): InputArtifact {
  const argument = args.artifacts?.find(({ name }) => name === input.name);
  if (!input.optional && !hasLocationOrKey(input as unknown as ArtifactFields)) {
    if (!argument) throw new TemplateError(`inputs.artifacts.${input.name} was not supplied`);
    if (!hasLocationOrKey(argument as unknown as ArtifactFields)) {
      throw new TemplateError(`inputs.artifacts.${input.name} missing location information`);
    }
  }
  if (!argument) return input;
  const { path, mode, recurseMode } = input;
  return withoutUndefined({ ...argument, path, mode, recurseMode });
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/**
 * The template with its tags filled in: first from globals and locals, then also from its own inputs and paths as the
 * first pass left them. What cannot be resolved yet stays. Throws a `TemplateError` when an input has no value.
 */
export function substituteParameters<T extends CalledTemplate>(template: T, globals: Values, locals: Values): T {
  const scope = new Map(globals);
  for (const [key, value] of locals) scope.set(key, value);
  const filled = replaceTags(template, scope, { kind: "lenient" });
  addInputs(scope, filled);
  return replaceTags(filled, scope, { kind: "lenient" });
}

function addInputs(scope: Map<string, string | null>, { inputs, outputs }: CalledTemplate): void {
  for (const { name, value, valueFrom } of inputs?.parameters ?? []) {
    if (value !== undefined) scope.set(`inputs.parameters.${name}`, value);
    else if (valueFrom === undefined) throw new TemplateError(`inputs.parameters.${name} had no value`);
  }
  // An empty list is no list once the template has been written and read.
  scope.set("inputs.parameters", parametersJson(inputs?.parameters?.length ? inputs.parameters : undefined));
  for (const { name, path } of inputs?.artifacts ?? []) if (path) scope.set(`inputs.artifacts.${name}.path`, path);
  for (const { name, path } of outputs?.artifacts ?? []) if (path) scope.set(`outputs.artifacts.${name}.path`, path);
  for (const { name, valueFrom } of outputs?.parameters ?? []) {
    if (valueFrom?.path) scope.set(`outputs.parameters.${name}.path`, valueFrom.path);
  }
}

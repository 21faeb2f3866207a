/**
 * Calls a template with arguments: each input gets its value from the arguments, a ConfigMap, its own value or its
 * default; then two passes fill in the template's tags.
 */
import { UserError } from "@tiphys/base/user_error";
import { ABSENT_ARGUMENT } from "./absent_argument.ts";
import { hasLocationOrKey } from "@tiphys/model/artifact/location";
import { TemplateError } from "./error.ts";
import { type ParameterFields, parametersJson } from "./parameter.ts";
import { type Plan, type PlannedText, planOfField, recordDerived, recordDerivedWith } from "./plan.ts";
import type { OpenValues } from "./render.ts";
import { replaceTags } from "./replace.ts";
import type { Values } from "./scope.ts";

/** A key of a ConfigMap. */
export interface ConfigMapKey {
  readonly name?: string;
  readonly key: string;
}

/** The fields of an input parameter or an argument that this module reads. */
export interface InputParameter extends ParameterFields {
  readonly valueFrom?: { readonly configMapKeyRef?: ConfigMapKey; readonly default?: string; readonly path?: string };
}

/** The fields of an input or output artifact that this module reads. */
export interface InputArtifact {
  readonly name: string;
  readonly path?: string;
  readonly from?: string;
  readonly mode?: number;
  readonly recurseMode?: boolean;
  readonly optional?: boolean;
  /** Whether artifact garbage collection has deleted it from its store. */
  readonly deleted?: boolean;
}

/** The fields of a template that this module reads. */
export interface CalledTemplate {
  readonly name?: string;
  readonly inputs?: { readonly parameters?: readonly InputParameter[]; readonly artifacts?: readonly InputArtifact[] };
  readonly outputs?: { readonly parameters?: readonly InputParameter[]; readonly artifacts?: readonly InputArtifact[] };
}

/** The fields of arguments that this module reads. */
export interface CallArguments {
  readonly parameters?: readonly InputParameter[];
  readonly artifacts?: readonly InputArtifact[];
}

/** The values and lookups that a call has besides its arguments. */
export interface CallContext {
  readonly globals: Values;
  /** `pod.name`, `node.name`, `steps.name` or `tasks.name`. */
  readonly locals: Values;
  /** Globals whose values contain tags that the author wrote. */
  readonly open?: OpenValues;
  /** Returns the value of a ConfigMap key, or throws. Without this function, inputs from a ConfigMap have no value. */
  readonly configMapValue?: (key: Required<ConfigMapKey>) => string;
}

/**
 * Returns the template with its inputs set and its tags filled in.
 * @throws {TemplateError} when an input has no value, an artifact has no location, or an expression does not parse.
 */
export function processArguments<T extends CalledTemplate>(template: T, args: CallArguments, context: CallContext): T {
  const { inputs } = template;
  const parameters = recordListPlan(inputs?.parameters?.map((input) => inputParameter(input, args, context)));
  const artifacts = recordListPlan(inputs?.artifacts?.map((input) => inputArtifact(input, args)));
  const given = {
    ...inputs,
    ...(parameters ? { parameters } : {}),
    ...(artifacts ? { artifacts } : {}),
  };
  const called = inputs ? recordDerived({ ...template, inputs: recordDerived(given, inputs) }, template) : template;
  return substituteParameters(called, context.globals, context.locals, context.open, args);
}

/** Records that a new list consists of elements whose plans are known. */
function recordListPlan<T extends object>(list: T[] | undefined): T[] | undefined {
  return list && recordDerived(list, []);
}

function inputParameter(input: InputParameter, args: CallArguments, context: CallContext): InputParameter {
  const argument = args.parameters?.find(({ name }) => name === input.name);
  let given: InputParameter = { ...input, value: input.value ?? input.default };
  /** The tags that the author wrote in the value. A value from a ConfigMap has no tags. */
  let tags = planOfField(input, input.value === undefined ? "default" : "value");
  let source: Plan | undefined;
  if (argument?.value?.startsWith(ABSENT_ARGUMENT)) {
    if (given.value === undefined && given.valueFrom === undefined) {
      throw new TemplateError(
        `inputs.parameters.${input.name}: argument references an absent optional ` +
          `(skipped/omitted node output with no default)${referenceOf(argument.value)}`,
      );
    }
  } else if (argument?.value !== undefined) {
    given = { ...given, value: argument.value, valueFrom: undefined };
    tags = planOfField(argument, "value");
  } else if (argument) {
    // An argument that is named but has no value removes both the value and the default.
    given = { ...given, value: undefined, valueFrom: argument.valueFrom };
    source = planOfField(argument, "valueFrom");
  }
  if (given.default !== undefined && tags && given.value?.includes("inputs.parameters.")) {
    // A value that refers to the input itself can only mean the default.
    const own = recordDerivedWith({ value: given.value }, {}, new Map([["value", tags]]));
    const filled = replaceTags(own, new Map([[`inputs.parameters.${input.name}`, given.default]]), { kind: "lenient" });
    given = { ...given, value: filled.value };
    tags = planOfField(filled, "value");
  }
  const key = given.valueFrom?.configMapKeyRef;
  if (key) {
    const found = withConfigMapValue(given, key, context);
    if (found !== undefined) [given, tags] = [{ ...given, value: found.value }, found.tags];
  } else if (given.value === undefined) throw new TemplateError(`inputs.parameters.${input.name} was not supplied`);
  return recordDerivedWith(withoutUndefined(given), input, new Map([["value", tags], ["valueFrom", source]]));
}

/** The reference of an absent argument, formatted for the end of an error message. */
function referenceOf(absent: string): string {
  const name = absent.slice(ABSENT_ARGUMENT.length);
  return name && `: {{${name}}}`;
}

function withConfigMapValue(
  input: InputParameter,
  reference: ConfigMapKey,
  context: CallContext,
): { readonly value: string; readonly tags?: Plan } | undefined {
  if (!context.configMapValue) return undefined;
  const at = replaceTags(
    recordDerived({ name: reference.name ?? "", key: reference.key }, reference),
    context.globals,
    {
      kind: "all",
    },
  );
  try {
    return { value: context.configMapValue(at) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const fallback = input.valueFrom?.default;
    if (fallback !== undefined) return { value: fallback, tags: planOfField(input.valueFrom!, "default") };
    const reason = error.message;
    throw new TemplateError(`unable to retrieve inputs.parameters.${input.name} from ConfigMap: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * Returns an input artifact with the location of its argument. Its path, its mode and whether it is optional come from
 * the template. An argument without a location, such as the output of a skipped step, counts as not given.
 */
function inputArtifact(input: InputArtifact, args: CallArguments): InputArtifact {
  const argument = args.artifacts?.find(({ name }) => name === input.name);
  if (!input.optional && !hasLocationOrKey(input)) {
    if (!argument) throw new TemplateError(`inputs.artifacts.${input.name} was not supplied`);
    if (!hasLocationOrKey(argument)) {
      const reference = argument.from ? `: ${argument.from}` : "";
      throw new TemplateError(`inputs.artifacts.${input.name} missing location information${reference}`);
    }
  }
  if (!argument || !hasLocationOrKey(argument)) return input;
  if (argument.deleted === true) throw new TemplateError(`artifact ${input.name} was deleted by garbage collection`);
  const { path, mode, recurseMode } = input;
  const optional = input.optional || argument.optional;
  const made = withoutUndefined({ ...argument, path, mode, recurseMode, optional });
  return recordDerivedWith(made, argument, new Map([["path", planOfField(input, "path")]]));
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/**
 * Fills in the tags of a template: first from globals and locals, then also from its own inputs and paths as the first
 * pass left them. Tags that cannot be resolved yet are kept. Tags inside of values are never resolved, except in the
 * globals that `open` lists.
 * @throws {TemplateError} when an input has no value.
 */
export function substituteParameters<T extends CalledTemplate>(
  template: T,
  globals: Values,
  locals: Values,
  open: OpenValues = new Map(),
  args: CallArguments = {},
): T {
  const scope = new Map(globals);
  for (const [key, value] of locals) scope.set(key, value);
  const filled = withChainedInputs(replaceTags(template, scope, { kind: "lenient" }, open), args);
  const opened = new Map(open);
  addInputs(scope, opened, filled);
  return replaceTags(filled, scope, { kind: "lenient" }, opened);
}

/**
 * Fills in the template's own values of inputs that refer to other inputs, each after those that it refers to. Values
 * of arguments are complete: their tags were resolved by the caller.
 * @throws {TemplateError} for a value that refers to itself.
 */
function withChainedInputs<T extends CalledTemplate>(template: T, args: CallArguments): T {
  const { inputs } = template;
  const complete = new Set(args.parameters?.map(({ name }) => name));
  const references = new Map<string, string[]>();
  for (const parameter of inputs?.parameters ?? []) {
    const plan = complete.has(parameter.name) ? undefined : planOfField(parameter, "value");
    if (plan?.kind !== "text") continue;
    // With a default, a reference to the input itself means the default.
    const names = [...plan.text.json.matchAll(INPUT_REFERENCE)].map(([, name, key]) => name ?? key!)
      .filter((name) => name !== parameter.name || parameter.default === undefined);
    if (names.length > 0) references.set(parameter.name, names);
  }
  if (![...references.values()].some((names) => names.some((name) => references.has(name)))) return template;
  const scope = new Map<string, string | null>();
  const open = new Map<string, PlannedText>();
  const parameters = new Map(inputs!.parameters!.map((parameter) => [parameter.name, parameter]));
  for (const parameter of parameters.values()) {
    if (!references.has(parameter.name)) addParameter(scope, open, parameter);
  }
  for (const name of dependencyOrder(references)) {
    const filled = replaceTags(parameters.get(name)!, scope, { kind: "lenient" }, open);
    parameters.set(name, filled);
    addParameter(scope, open, filled);
  }
  const given = { ...inputs, parameters: recordListPlan([...parameters.values()]) };
  return recordDerived({ ...template, inputs: recordDerived(given, inputs!) }, template);
}

/** `inputs.parameters.NAME` and `inputs.parameters["NAME"]`, in a text as JSON. */
const INPUT_REFERENCE = /inputs\.parameters(?:\.([\w-]+)|\[\\?['"]([^'"\\]+)\\?['"]\])/g;

/**
 * Returns the names in an order in which each follows those that it refers to.
 * @throws {TemplateError} when a name refers to itself, directly or through others.
 */
function dependencyOrder(references: ReadonlyMap<string, readonly string[]>): string[] {
  const missing = new Map<string, number>();
  const users = new Map<string, string[]>();
  for (const [name, names] of references) {
    const known = names.filter((other) => references.has(other));
    missing.set(name, known.length);
    for (const other of known) {
      const list = users.get(other);
      if (list) list.push(name);
      else users.set(other, [name]);
    }
  }
  const order = [...missing.keys()].filter((name) => missing.get(name) === 0);
  for (const name of order) {
    for (const user of users.get(name) ?? []) {
      const count = missing.get(user)! - 1;
      missing.set(user, count);
      if (count === 0) order.push(user);
    }
  }
  if (order.length === references.size) return order;
  const first = [...missing.keys()].find((name) => missing.get(name)! > 0);
  throw new TemplateError(`inputs.parameters.${first}: its value refers to itself`);
}

function addInputs(
  scope: Map<string, string | null>,
  open: Map<string, PlannedText>,
  { inputs, outputs }: CalledTemplate,
): void {
  for (const parameter of inputs?.parameters ?? []) addParameter(scope, open, parameter);
  // An empty list is dropped when the template is serialized, so it counts as absent.
  scope.set("inputs.parameters", parametersJson(inputs?.parameters?.length ? inputs.parameters : undefined));
  for (const artifact of inputs?.artifacts ?? []) {
    if (artifact.path) addValue(scope, open, `inputs.artifacts.${artifact.name}.path`, artifact, "path", artifact.path);
  }
  for (const artifact of outputs?.artifacts ?? []) {
    if (artifact.path) {
      addValue(scope, open, `outputs.artifacts.${artifact.name}.path`, artifact, "path", artifact.path);
    }
  }
  for (const { name, valueFrom } of outputs?.parameters ?? []) {
    if (valueFrom?.path) addValue(scope, open, `outputs.parameters.${name}.path`, valueFrom, "path", valueFrom.path);
  }
}

function addParameter(
  scope: Map<string, string | null>,
  open: Map<string, PlannedText>,
  parameter: InputParameter,
): void {
  const { name, value, valueFrom } = parameter;
  if (value !== undefined) addValue(scope, open, `inputs.parameters.${name}`, parameter, "value", value);
  else if (valueFrom === undefined) throw new TemplateError(`inputs.parameters.${name} had no value`);
}

/** Adds a value, which is the field of an object; with its plan, if the author wrote tags in it. */
function addValue(
  scope: Map<string, string | null>,
  open: Map<string, PlannedText>,
  name: string,
  from: object,
  field: string,
  value: string,
): void {
  scope.set(name, value);
  const plan = planOfField(from, field);
  if (plan?.kind === "text") open.set(name, plan.text);
  else open.delete(name);
}

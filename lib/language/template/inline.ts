/**
 * Inline templates: fills them in with the values of the surrounding steps or tasks. A name refers to the nearest
 * definition: `{{item}}` is the item of the innermost loop, and a step or task of the inline template hides an outer
 * one of the same name.
 */
import { isLoop } from "@tiphys/model/templates";
import { planOfField, recordDerived, recordDerivedWith } from "./plan.ts";
import { replaceField, replaceTags } from "./replace.ts";
import type { Mode, Values } from "./scope.ts";

/** The fields of an inline template that this module reads. */
export interface InlineTemplate {
  readonly inputs?: { readonly parameters?: readonly NamedEntry[]; readonly artifacts?: readonly NamedEntry[] };
  readonly steps?: readonly (readonly InlineCall[])[];
  readonly dag?: { readonly tasks?: readonly InlineCall[] };
}

interface InlineCall extends NamedEntry {
  readonly inline?: InlineTemplate;
  readonly withItems?: readonly unknown[];
  readonly withParam?: string;
  readonly withSequence?: object;
}

interface NamedEntry {
  readonly name?: string;
}

/** The values around an inline template, with and without the item of the surrounding loop. */
export interface InlineValues {
  readonly withItem: Values;
  readonly withoutItem: Values;
}

/**
 * Returns the function that fills in the tags of the inline template of a step or task; undefined if it has no inline
 * template. Unless `isLenient`, that function throws a `TemplateError` when a tag that only the caller can resolve has
 * no value.
 */
export function inlineFiller<T extends InlineTemplate>(
  holder: { readonly inline?: T },
  isLenient: boolean,
): ((values: InlineValues) => T) | undefined {
  const { inline } = holder;
  if (!inline) return undefined;
  if (planOfField(holder, "inline") === undefined) return () => inline;
  const modeFor = (prefixes: readonly string[]): Mode =>
    isLenient ? { kind: "lenient" } : { kind: "strict", prefixes, except: ownNames(inline) };
  const outerMode = modeFor([...CALLER_PREFIXES, "item"]);
  const innerMode = modeFor(CALLER_PREFIXES);
  if (callsOf(inline).length > 0) {
    return (values) => fillTemplate(inline, { values, around: outerMode, within: innerMode });
  }
  return ({ withItem }) => replaceField<{ readonly inline?: T }, "inline">(holder, "inline", withItem, outerMode)!;
}

/** Prefixes of names that must have values when an inline template is called, except for the template's own names. */
const CALLER_PREFIXES: readonly string[] = ["inputs", "steps", "tasks", "workflow"];

/**
 * The names that get their values inside the inline template or templates nested in it: its inputs, steps and tasks.
 */
function ownNames(template: InlineTemplate): string[] {
  const { inputs } = template;
  return [
    ...(inputs?.parameters ?? []).map(({ name }) => `inputs.parameters.${name}`),
    ...(inputs?.artifacts ?? []).map(({ name }) => `inputs.artifacts.${name}`),
    ...memberNames(template),
    ...callsOf(template).flatMap(({ inline }) => inline ? ownNames(inline) : []),
  ];
}

function memberNames(template: InlineTemplate): string[] {
  const root = template.steps ? "steps" : "tasks";
  return callsOf(template).map(({ name }) => `${root}.${name}`);
}

function callsOf({ steps, dag }: InlineTemplate): readonly InlineCall[] {
  return [...steps?.flat() ?? [], ...dag?.tasks ?? []];
}

/** The values, and the modes for the parts outside and inside the loops of a template. */
interface FillOptions {
  readonly values: InlineValues;
  readonly around: Mode;
  readonly within: Mode;
}

function fillTemplate<T extends InlineTemplate>(template: T, fill: FillOptions): T {
  const names = memberNames(template);
  const withItem = withoutNames(fill.values.withItem, names);
  const withoutItem = withoutNames(fill.values.withoutItem, names);
  const { steps, dag, ...others } = template;
  const own = { ...fill, values: { withItem, withoutItem } };
  const filled = replaceTags(recordDerived(others, template), withItem, fill.around);
  const made = {
    ...filled,
    ...(steps && { steps: steps.map((group) => group.map((call) => fillCall(call, own))) }),
    ...(dag && { dag: fillTasks(dag, own) }),
  };
  // deno-lint-ignore tiphys/no-double-cast -- the same fields, with tags replaced in their texts
  return recordDerived(made, filled) as unknown as T;
}

function fillTasks(dag: NonNullable<InlineTemplate["dag"]>, fill: FillOptions): object {
  const { tasks, ...others } = dag;
  const filled = replaceTags(recordDerived(others, dag), fill.values.withItem, fill.around);
  return tasks ? recordDerived({ ...filled, tasks: tasks.map((call) => fillCall(call, fill)) }, filled) : filled;
}

function fillCall(call: InlineCall, { values, around, within }: FillOptions): object {
  const { withItems, withParam, withSequence, inline, ...others } = call;
  const items = replaceTags(recordDerived({ withItems, withParam, withSequence }, call), values.withItem, around);
  const inner = isLoop(call) ? { ...values, withItem: values.withoutItem } : values;
  const mode = isLoop(call) ? within : around;
  const filled = replaceTags(recordDerived(others, call), inner.withItem, mode);
  const made = {
    ...filled,
    ...(isLoop(call) && items),
    ...(inline && { inline: fillTemplate(inline, { values: inner, around: mode, within }) }),
  };
  const plans = Object.keys(items).map((field) => [field, planOfField(items, field)] as const);
  return recordDerivedWith(made, filled, new Map(plans));
}

/** Removes the values of steps or tasks with these names. A step or task that has started has an `id` value. */
function withoutNames(values: Values, names: readonly string[]): Values {
  const hidden = names.filter((name) => values.has(`${name}.id`));
  if (hidden.length === 0) return values;
  const isHidden = (key: string) => hidden.some((name) => key.startsWith(`${name}.`));
  return new Map([...values].filter(([key]) => !isHidden(key)));
}

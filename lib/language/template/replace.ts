/**
 * Fills in the tags of an object. Argo Workflows does this to the object's JSON text; here only strings with tags are
 * visited.
 */
import { isOverflow } from "@tiphys/base/overflow";
import { TemplateError } from "./error.ts";
import { type Json, marshalTree } from "./json_tree.ts";
import { type FieldPlan, markAsValues, type Plan, type PlannedText, planOf, planOfField, recordPlan } from "./plan.ts";
import { type OpenValues, Pass } from "./render.ts";
import type { Mode, Scope } from "./scope.ts";
import { findTags } from "./tags.ts";

/**
 * Fills in every string and key of an object of plain JSON. The object must not be modified in place afterwards,
 * because its plan is cached; filling it in again visits only its tags. Returns the same object when nothing changed,
 * and shares all unchanged parts.
 *
 * ```ts
 * import { replaceTags } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const scope = new Map([["workflow.name", "hello"], ["inputs.parameters.n", "41"]]);
 * const object = { args: ["{{workflow.name}}", "{{=asInt(inputs.parameters.n) + 1}}"] };
 * assertEquals(replaceTags(object, scope, { kind: "all" }), { args: ["hello", "42"] });
 * ```
 * @throws {TemplateError} as `renderText` does, or when a value cannot be written as JSON.
 */
export function replaceTags<T>(object: T, scope: Scope, mode: Mode, open?: OpenValues): T {
  return fillPlanned(object, () => planOf(object), () => new Pass(scope, mode, open));
}

/**
 * Fills in one field of an object. Uses the object's plan, so that a text inserted as a value is not interpreted.
 * @throws same as `replaceTags`.
 */
export function replaceField<T extends object, K extends keyof T & string>(
  object: T,
  field: K,
  scope: Scope,
  mode: Mode,
): T[K] {
  return fillPlanned(object[field], () => planOfField(object, field), () => new Pass(scope, mode));
}

function fillPlanned<T>(object: T, planOfIt: () => Plan | undefined, newPass: () => Pass): T {
  return withoutOverflow(() => {
    const plan = planOfIt();
    if (plan === undefined) return object;
    const pass = newPass();
    const filled = fill(object as Json, plan, pass);
    pass.finish();
    return filled.value as T;
  });
}

/** Reports nesting that exhausts the stack as an error of the user instead of a crash. */
function withoutOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOverflow(error)) throw error;
    throw new TemplateError("the object is nested too deeply or makes a text that is too long", { cause: error });
  }
}

/** A value with its tags filled in, and the plan of the remaining tags. The same value if nothing was filled in. */
interface Part {
  readonly value: Json;
  readonly remaining: Plan | undefined;
}

function wholeText(value: Json, plan: Extract<Plan, { kind: "open" }>, pass: Pass): Part {
  const text = plan.text ?? { json: marshalTree(value), segments: findTags(marshalTree(value)) };
  const { json, isChanged, remaining } = pass.fill(text);
  if (!isChanged) return { value, remaining: plan };
  const filledPart = markAsValues(pass.parse(json) as Json);
  const left: Plan | undefined = remaining && { kind: "open", text: remaining };
  if (typeof filledPart === "object" && filledPart !== null) recordPlan(filledPart, left);
  return { value: filledPart, remaining: left };
}

function fill(value: Json, plan: Plan, pass: Pass): Part {
  switch (plan.kind) {
    case "text":
      return fillText(value as string, plan, pass);
    case "list":
      return fillList(value as readonly Json[], plan, pass);
    case "fields":
      return fillFields(value as { readonly [key: string]: Json }, plan, pass);
    case "open":
      return wholeText(value, plan, pass);
  }
}

function fillList(list: readonly Json[], plan: Extract<Plan, { kind: "list" }>, pass: Pass): Part {
  let copy: Json[] | undefined;
  const left: { index: number; plan: Plan }[] = [];
  let isChanged = false;
  for (const { index, plan: planned } of plan.items) {
    const before = list[index] ?? null;
    const { value, remaining } = fill(before, planned, pass);
    if (value !== before) (copy ??= [...list])[index] = value;
    isChanged ||= remaining !== planned;
    if (remaining !== undefined) left.push({ index, plan: remaining });
  }
  if (copy === undefined && !isChanged) return { value: list, remaining: plan };
  return made(copy ?? [...list], left.length === 0 ? undefined : { kind: "list", items: left });
}

/** An object that a pass made, with its remaining tags. */
function made(value: Json & object, remaining: Plan | undefined): Part {
  recordPlan(value, remaining);
  return { value, remaining };
}

function fillFields(
  object: { readonly [key: string]: Json },
  plan: Extract<Plan, { kind: "fields" }>,
  pass: Pass,
): Part {
  const changed = new Map<string, readonly [string, Json]>();
  const left = new Map<string, FieldPlan>();
  let isChanged = false;
  for (const [key, planned] of plan.fields) {
    const name = planned.key === undefined ? undefined : fillText(key, { kind: "text", text: planned.key }, pass);
    const before = object[key];
    if (before === undefined) continue;
    const filled = planned.value === undefined ? undefined : fill(before, planned.value, pass);
    const newKey = name === undefined ? key : name.value as string;
    const value = filled === undefined ? before : filled.value;
    if (newKey !== key || value !== before) changed.set(key, [newKey, value]);
    isChanged ||= filled?.remaining !== planned.value || textOf(name?.remaining) !== planned.key;
    if (name?.remaining !== undefined || filled?.remaining !== undefined) {
      left.set(newKey, { key: textOf(name?.remaining), value: filled?.remaining });
    }
  }
  if (changed.size === 0 && !isChanged) return { value: object, remaining: plan };
  const entries = Object.keys(object).map((key) => changed.get(key) ?? [key, object[key]]);
  return made(Object.fromEntries(entries), left.size === 0 ? undefined : { kind: "fields", fields: left });
}

function textOf(plan: Plan | undefined): PlannedText | undefined {
  return plan?.kind === "text" ? plan.text : undefined;
}

function fillText(text: string, plan: Extract<Plan, { kind: "text" }>, pass: Pass): Part {
  const { json, isChanged, remaining } = pass.fill(plan.text);
  if (!isChanged) return { value: text, remaining: plan };
  // The JSON of a string without escapes is the string itself in quotes.
  const value = json.includes("\\") ? pass.parse(json) as string : json.slice(1, -1);
  return { value, remaining: remaining && { kind: "text", text: remaining } };
}

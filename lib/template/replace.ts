/** Fills in the tags of an object: what the peer does to its JSON text, done to the few strings that have tags. */
import { TemplateError } from "./error.ts";
import { type Json, marshalTree } from "./json_tree.ts";
import { type FieldPlan, type Plan, type PlannedText, planOf } from "./plan.ts";
import { Pass, type RenderOptions } from "./render.ts";
import type { Mode, Scope } from "./scope.ts";

/**
 * Fills in every string and key of an object of plain JSON, which must not be changed in place afterwards: what was read
 * of it is kept, and filling it in again looks at nothing but its tags. Returns the very same object when nothing changed, and shares
 * all parts that did not. Throws a `TemplateError` as `renderText` does, or when a value cannot stand in JSON text.
 *
 * ```ts
 * import { replaceTags } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const scope = new Map([["workflow.name", "hello"], ["inputs.parameters.n", "41"]]);
 * const object = { args: ["{{workflow.name}}", "{{=asInt(inputs.parameters.n) + 1}}"] };
 * assertEquals(replaceTags(object, scope, { kind: "all" }), { args: ["hello", "42"] });
 * ```
 */
export function replaceTags<T>(object: T, scope: Scope, mode: Mode, options?: RenderOptions): T {
  return withoutOverflow(() => {
    const plan = planOf(object);
    if (plan === undefined) return object;
    const pass = new Pass(scope, mode, options);
    const filled = fill(object as Json, plan, pass);
    pass.finish();
    return filled as T;
  });
}

/** Nesting deep enough to exhaust the stack is the user's mistake, not a crash. */
function withoutOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TemplateError("the object is nested too deeply or makes too long a text", { cause: error });
  }
}

function wholeText<T>(object: T, pass: Pass): T {
  const json = marshalTree(object as Json);
  const filled = pass.render(json);
  return filled === json ? object : pass.parse(filled) as T;
}

function fill(value: Json, plan: Plan, pass: Pass): Json {
  switch (plan.kind) {
    case "text":
      return fillText(value as string, plan.text, pass);
    case "list":
      return fillList(value as readonly Json[], plan.items, pass);
    case "fields":
      return fillFields(value as { readonly [key: string]: Json }, plan.fields, pass);
    case "open":
      return wholeText(value, pass);
  }
}

function fillList(
  list: readonly Json[],
  items: readonly { readonly index: number; readonly plan: Plan }[],
  pass: Pass,
): readonly Json[] {
  let copy: Json[] | undefined;
  for (const { index, plan } of items) {
    const filled = fill(list[index], plan, pass);
    if (filled !== list[index]) (copy ??= [...list])[index] = filled;
  }
  return copy ?? list;
}

function fillFields(
  object: { readonly [key: string]: Json },
  fields: ReadonlyMap<string, FieldPlan>,
  pass: Pass,
): Json {
  const changed = new Map<string, readonly [string, Json]>();
  for (const [key, plan] of fields) {
    const filledKey = plan.key === undefined ? key : fillText(key, plan.key, pass);
    const filled = plan.value === undefined ? object[key] : fill(object[key], plan.value, pass);
    if (filledKey !== key || filled !== object[key]) changed.set(key, [filledKey, filled]);
  }
  if (changed.size === 0) return object;
  return Object.fromEntries(Object.keys(object).map((key) => changed.get(key) ?? [key, object[key]]));
}

function fillText(text: string, { json, segments }: PlannedText, pass: Pass): string {
  const filled = pass.fill(segments);
  if (filled === json) return text;
  // Without an escape in it, the JSON of a string is the string.
  return filled.includes("\\") ? pass.parse(filled) as string : filled.slice(1, -1);
}

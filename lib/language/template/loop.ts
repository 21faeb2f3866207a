/** Loops: one copy of a step or task for each item. */
import { parseJson } from "@tiphys/base/bounded_json";
import { parseDecimal } from "@tiphys/base/go/number";
import { trimSpace } from "@tiphys/base/go/text";
import { LIMITS } from "@tiphys/base/limits";
import { loopIndex, loopNodeName } from "@tiphys/model/status";
import { TemplateError } from "./error.ts";
import { Item } from "./item.ts";
import { inlineFiller, type InlineTemplate } from "./inline.ts";
import { recordDerived } from "./plan.ts";
import { replaceField, replaceTags } from "./replace.ts";
import { expandSequence, type SequenceFields } from "./sequence.ts";
import type { Mode, Values } from "./scope.ts";
import { evaluateWhen } from "./when/when.ts";

/**
 * The fields of a step or task that this module reads. Items are JSON values, or `Item`s if their spelling must be
 * kept.
 */
export interface LoopHolder {
  readonly name?: string;
  readonly template?: string;
  readonly inline?: InlineTemplate;
  readonly when?: string;
  readonly withItems?: readonly unknown[];
  readonly withParam?: string;
  readonly withSequence?: SequenceFields;
  readonly hooks?: object;
}

/** The limits of one loop. */
export interface LoopLimits {
  /** The maximum number of calls. */
  readonly items: number;
  /** The maximum number of characters that are filled in, over all calls. */
  readonly characters: number;
}

const DEFAULT_LIMITS: LoopLimits = { items: LIMITS.nodes, characters: LIMITS.loopCharacters };

/**
 * Returns one copy of a step or task for each item of its loop, named `name(index:item)`, with `{{item}}` and all other
 * tags in its body filled in. Its name, its `template` and the tags of an inline template's own inputs stay as written.
 * A step or task that is not a loop, or whose `withItems` is empty, is returned unchanged, alone, as Argo does: callers
 * check `isEmptyLoop()` first.
 *
 * If `when` is already false, unreadable items and tags without a value are not errors, because nothing of the loop
 * runs.
 *
 * ```ts
 * import { expandLoop } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const children = expandLoop({ name: "greet", withItems: ["a", "b"], when: "{{item}} == a" }, new Map());
 * assertEquals(children.map(({ name, when }) => `${name}: ${when}`), ["greet(0:a): a == a", "greet(1:b): b == a"]);
 * ```
 * @throws {TemplateError} when the items cannot be read or a tag has no value, including a tag in the name.
 */
export function expandLoop<T extends LoopHolder>(holder: T, values: Values, limits: LoopLimits = DEFAULT_LIMITS): T[] {
  if (!holder.withItems?.length && !holder.withParam && !holder.withSequence) return [holder];
  const skipped = isFalseForEveryItem(holder.when);
  const items = itemsOf(holder, skipped, limits.items);
  const { withItems: _items, withParam: _param, withSequence: _sequence, inline, hooks, ...rest } = holder;
  const body = recordDerived(withFieldsInArgoOrder(rest), holder);
  const { name = "", template } = holder;
  const scope = new Map(values);
  // An output of a skipped producer must not fail a body that never runs.
  if (skipped) { for (const [key, value] of values) if (value === null) scope.delete(key); }
  const withoutItem = skipped ? new Map(scope) : values;
  const fillInline = inlineFiller(holder, skipped);
  let characters = 0;
  return items.map((item, index) => {
    const childName = loopChildName(name, index, item.description);
    const entries = item.scope();
    for (const [key, value] of entries) scope.set(key, value);
    const mode: Mode = { kind: skipped ? "lenient" : "all" };
    const filledInline = fillInline?.({ withItem: scope, withoutItem });
    // The other tags of hooks refer to outputs of the item's own node, so they are kept.
    const filledHooks = hooks && replaceField(holder, "hooks", scope, { kind: "lenient" });
    const filled = replaceTags(body, scope, mode);
    for (const [key] of entries) restoreName(scope, values, key);
    characters += childName.length + changedCharacters(filled, body) + changedCharacters(filledInline, inline) +
      changedCharacters(filledHooks, hooks);
    if (characters > limits.characters) throw tooManyCharacters(name, items.length, limits);
    const child = {
      ...filled,
      name: childName,
      ...(template === undefined ? {} : { template }),
      ...(inline && { inline: filledInline }),
      ...(hooks === undefined ? {} : { hooks: filledHooks }),
    };
    // deno-lint-ignore tiphys/no-double-cast -- the same fields, with tags replaced in their texts
    return recordDerived(child, filled) as unknown as T;
  });
}

/** Reports whether a loop whose tags are filled in has no items. False when its items cannot be read. */
export function isEmptyLoop({ withItems, withParam, withSequence }: LoopHolder): boolean {
  if (withItems?.length) return false;
  if (withParam) return EMPTY_LIST.test(withParam);
  if (withSequence) return withSequence.end === undefined && parsesAsZero(withSequence.count);
  return withItems !== undefined;
}

const EMPTY_LIST = /^\s*(?:\[\s*\]|null)\s*$/;

function parsesAsZero(count: number | string | undefined): boolean {
  const number = parseDecimal(String(count));
  return number.ok && number.value === 0n;
}

/**
 * Returns the name of one child of a loop.
 *
 * @throws {TemplateError} when the index could not be parsed from the name, because the step's own name contains a
 * colon or a parenthesis.
 */
export function loopChildName(name: string, index: number, description: string): string {
  const childName = loopNodeName(name, index, description);
  if (loopIndex(childName) === index) return childName;
  throw new TemplateError(`Expected a step or task name without a colon or parenthesis, got "${name}"`);
}

function tooManyCharacters(name: string, count: number, { characters }: LoopLimits): TemplateError {
  return new TemplateError(
    `the ${count} calls of the loop ${name} exceed the limit of ${characters} filled-in characters`,
  );
}

/**
 * Returns the number of characters in the texts of `filled` that differ from those of `written`, a tree of the same
 * shape.
 */
function changedCharacters(filled: unknown, written: unknown): number {
  if (filled === written) return 0;
  if (typeof filled === "string") return filled.length;
  if (typeof filled !== "object" || filled === null) return 0;
  let sum = 0;
  const fields = filled as Record<string, unknown>;
  for (const key in fields) sum += changedCharacters(fields[key], (written as Record<string, unknown> | null)?.[key]);
  return sum;
}

/** The order in which Argo reads the fields of a step or task: the first error decides whether a loop waits. */
const FIRST_FIELDS = ["name", "template", "arguments", "templateRef"];

function withFieldsInArgoOrder<T extends object>(body: T): T {
  const fields = new Map(Object.entries(body));
  const names = new Set([...FIRST_FIELDS.filter((field) => fields.has(field)), ...fields.keys()]);
  return Object.fromEntries(Array.from(names, (field) => [field, fields.get(field)])) as T;
}

function restoreName(scope: Map<string, string | null>, values: Values, key: string): void {
  const outer = values.get(key);
  if (outer === undefined) scope.delete(key);
  else scope.set(key, outer);
}

/** Reports whether a `when` is false for every item. One that cannot be evaluated yet may still be true. */
function isFalseForEveryItem(when: string | undefined): boolean {
  if (!when) return false;
  try {
    return !evaluateWhen(when);
  } catch (error) {
    if (error instanceof TemplateError) return false;
    throw error;
  }
}

function itemsOf(holder: LoopHolder, skipped: boolean, max: number): Item[] {
  const { name = "", withItems, withParam, withSequence } = holder;
  const check = (field: string, count: number | bigint) => {
    if (count <= max) return;
    throw new TemplateError(`${field} of ${name} has ${count} items, and a loop may have ${max}`);
  };
  if (withItems?.length || !withParam && !withSequence) {
    check("withItems", withItems!.length);
    return withItems!.map((item) => item instanceof Item ? item : Item.of(item));
  }
  try {
    if (!withParam) return expandSequence(withSequence!, (count) => check("withSequence", count));
    const items = parameterItems(withParam);
    check("withParam", items.length);
    return items;
  } catch (error) {
    if (skipped && error instanceof TemplateError) return [];
    throw error;
  }
}

/** Returns Go's name for the kind of a JSON value, as in its error messages. */
function kindOfJson(text: string): string {
  const first = trimSpace(text)[0];
  if (first === "{") return "object";
  if (first === '"') return "string";
  return first === "t" || first === "f" ? "bool" : "number";
}

/** Returns the content of a JSON string that contains a list, as `workflow.failures` does; any other text unchanged. */
function unquoteJson(text: string): string {
  if (kindOfJson(text) !== "string") return text;
  try {
    const content = parseJson(text);
    return typeof content === "string" && /^\s*(\[|null)/.test(content) ? content : text;
  } catch {
    return text;
  }
}

function parameterItems(text: string): Item[] {
  let items: Item[] | undefined;
  let reason = "";
  try {
    items = Item.parseList(unquoteJson(text));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    reason = error.message;
  }
  if (items) return items;
  reason ||= `json: cannot unmarshal ${kindOfJson(text)} into Go value of type []v1alpha1.Item`;
  throw new TemplateError(`withParam value could not be parsed as a JSON list: ${trimSpace(text)}: ${reason}`);
}

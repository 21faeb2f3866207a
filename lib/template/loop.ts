/** Loops: one copy of a step or task for each item. */
import { trimSpace } from "../go/text.ts";
import { TemplateError } from "./error.ts";
import { Item } from "./item.ts";
import { loopNodeName } from "./names.ts";
import { replaceTags } from "./replace.ts";
import { expandSequence, type SequenceFields } from "./sequence.ts";
import type { Values } from "./scope.ts";
import { evaluateWhen } from "./when/when.ts";

/** What is read of a step or task. Items are JSON values, or `Item`s where their spelling is to survive. */
export interface LoopHolder {
  readonly name?: string;
  readonly template?: string;
  readonly when?: string;
  readonly withItems?: readonly unknown[];
  readonly withParam?: string;
  readonly withSequence?: SequenceFields;
}

/** Says whether a step or task is a loop. */
export function isLoop(holder: LoopHolder): boolean {
  return Boolean(holder.withItems?.length || holder.withParam || holder.withSequence);
}

/**
 * One copy of a step or task for each item of its loop, named `name(index:item)`, with `{{item}}` and all else in its
 * body filled in; its name and its `template` stay as written. What is no loop is returned as it is, alone.
 *
 * Throws a `TemplateError` when the items cannot be read or a tag has no value, be it one in the name. A `when` that is false already forgives
 * both, since nothing of the loop will run.
 *
 * ```ts
 * import { expandLoop } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const children = expandLoop({ name: "greet", withItems: ["a", "b"], when: "{{item}} == a" }, new Map());
 * assertEquals(children.map(({ name, when }) => `${name}: ${when}`), ["greet(0:a): a == a", "greet(1:b): b == a"]);
 * ```
 */
export function expandLoop<T extends LoopHolder>(holder: T, values: Values): T[] {
  if (!isLoop(holder)) return [holder];
  const skipped = isFalse(holder.when);
  const items = itemsOf(holder, skipped);
  const { withItems: _items, withParam: _param, withSequence: _sequence, ...rest } = holder;
  const body = inOrder(rest);
  const { name = "", template } = holder;
  const scope = new Map(values);
  // A skipped producer must not fail a body that never runs.
  if (skipped) { for (const [key, value] of values) if (value === null) scope.delete(key); }
  return items.map((item, index) => {
    const childName = loopNodeName(name, index, item.description);
    const entries = item.scope();
    for (const [key, value] of entries) scope.set(key, value);
    const filled = replaceTags(body, scope, { kind: skipped ? "lenient" : "all" });
    for (const [key] of entries) restore(scope, values, key);
    const child = { ...filled, name: childName };
    return (template === undefined ? child : { ...child, template }) as unknown as T;
  });
}

/** The order in which the peer looks at the fields of a step or task: the first fault decides whether a loop waits. */
const FIRST_FIELDS = ["name", "template", "inline", "arguments", "templateRef"];

function inOrder<T extends object>(body: T): T {
  const fields = new Map(Object.entries(body));
  const names = new Set([...FIRST_FIELDS.filter((field) => fields.has(field)), ...fields.keys()]);
  return Object.fromEntries(Array.from(names, (field) => [field, fields.get(field)])) as T;
}

function restore(scope: Map<string, string | null>, values: Values, key: string): void {
  const outer = values.get(key);
  if (outer === undefined) scope.delete(key);
  else scope.set(key, outer);
}

/** True only for a `when` that is false whatever the item: one that cannot be read yet may still be true. */
function isFalse(when: string | undefined): boolean {
  if (!when) return false;
  try {
    return !evaluateWhen(when);
  } catch (error) {
    if (error instanceof TemplateError) return false;
    throw error;
  }
}

function itemsOf(holder: LoopHolder, skipped: boolean): Item[] {
  if (holder.withItems?.length) return holder.withItems.map((item) => item instanceof Item ? item : Item.of(item));
  try {
    return holder.withParam ? parameterItems(holder.withParam) : expandSequence(holder.withSequence!);
  } catch (error) {
    if (skipped && error instanceof TemplateError) return [];
    throw error;
  }
}

function parameterItems(text: string): Item[] {
  let items: Item[] | undefined;
  let reason = "it is another JSON value";
  try {
    items = Item.parseList(text);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    reason = error.message;
  }
  if (items) return items;
  throw new TemplateError(`withParam value could not be parsed as a JSON list: ${trimSpace(text)}: ${reason}`);
}

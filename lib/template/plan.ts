/**
 * Which strings of an object have tags, and where: read once per object, so that filling one in again looks at nothing
 * else. An object is known by its identity; whoever changes one in place after it was read breaks that promise.
 */
import { type Json, marshalTree } from "./json_tree.ts";
import { findTags, isClosed, type Segments } from "./tags.ts";

/** A string with tags. */
export interface PlannedText {
  /** Its JSON, which is what tags are found in. */
  readonly json: string;
  readonly segments: Segments;
}

/** What of a value has tags; the rest is not mentioned. */
export type Plan =
  | { readonly kind: "text"; readonly text: PlannedText }
  | { readonly kind: "list"; readonly items: readonly { readonly index: number; readonly plan: Plan }[] }
  | { readonly kind: "fields"; readonly fields: ReadonlyMap<string, FieldPlan> }
  /** A tag begins in one string and may end in a later one: only the whole text tells what it is. */
  | { readonly kind: "open" };

/** What of a field has tags. */
export interface FieldPlan {
  readonly key?: PlannedText;
  readonly value?: Plan;
}

const OPEN: Plan = { kind: "open" };
const objects = new WeakMap<object, Plan | "untagged">();

/** The plan of a value, undefined where it has no tags. */
export function planOf(value: unknown): Plan | undefined {
  if (typeof value === "string") return planOfText(value);
  if (typeof value !== "object" || value === null) return undefined;
  let plan = objects.get(value);
  if (plan === undefined) objects.set(value, plan = read(value) ?? "untagged");
  return plan === "untagged" ? undefined : plan;
}

/** The same without looking it up or keeping it: parts are kept with their whole. */
function planOfPart(value: unknown): Plan | undefined {
  return typeof value === "object" && value !== null ? read(value) : planOf(value);
}

function read(value: object): Plan | undefined {
  return Array.isArray(value) ? planOfList(value) : planOfFields(value as { readonly [key: string]: unknown });
}

function planOfText(text: string): Plan | undefined {
  if (!text.includes("{{")) return undefined;
  return isClosed(text) ? { kind: "text", text: plannedText(text) } : OPEN;
}

function planOfList(list: readonly unknown[]): Plan | undefined {
  const items: { index: number; plan: Plan }[] = [];
  for (let index = 0; index < list.length; index++) {
    const plan = planOfPart(list[index]);
    if (plan === OPEN) return OPEN;
    if (plan !== undefined) items.push({ index, plan });
  }
  return items.length === 0 ? undefined : { kind: "list", items };
}

function planOfFields(object: { readonly [key: string]: unknown }): Plan | undefined {
  const fields = new Map<string, FieldPlan>();
  for (const key in object) {
    const value = planOfPart(object[key]);
    const keyPlan = planOfText(key);
    if (value === OPEN || keyPlan === OPEN) return OPEN;
    if (value === undefined && keyPlan === undefined) continue;
    fields.set(key, { value, key: keyPlan?.kind === "text" ? keyPlan.text : undefined });
  }
  return fields.size === 0 ? undefined : { kind: "fields", fields };
}

/** Texts kept at most; whatever is rendered at one time is far less. */
const KEPT = 4_000;
/** Texts longer than this are not kept. */
const LONGEST_KEPT = 10_000;
const texts = new Map<string, PlannedText>();

/** Texts come again in objects that are new: pods, and steps whose other fields were filled in before. */
function plannedText(text: string): PlannedText {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const json = marshalTree(text as Json);
  const planned = { json, segments: findTags(json) };
  if (text.length > LONGEST_KEPT) return planned;
  if (texts.size >= KEPT) texts.clear();
  texts.set(text, planned);
  return planned;
}

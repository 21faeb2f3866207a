/**
 * The plan of an object: which of its strings have tags, and where. It is computed once per object, so that filling in
 * the object again visits only those strings. Plans are keyed by object identity, so objects must not be modified in
 * place after they were read.
 *
 * An object that a pass filled in gets its plan from that pass: the remaining tags, by path. Values that the pass
 * inserted are in no plan, so later passes do not interpret them, even if they contain `{{`. An object without a plan
 * is treated as text of its author. Code that makes a new object from a filled-in one must call `recordDerived`, or
 * `markAsValues` if the new object consists of values only.
 */
import { TextCache } from "@tiphys/base/text_cache";
import { type Json, marshalTree } from "./json_tree.ts";
import { findTags, isClosed, type Segments } from "./tags.ts";

/** A string that has tags. */
export interface PlannedText {
  /** The string as JSON, in which tags are found. */
  readonly json: string;
  /** The same JSON, split at its tags. */
  readonly segments: Segments;
}

/** The parts of a value that have tags; other parts are omitted. */
export type Plan =
  | { readonly kind: "text"; readonly text: PlannedText }
  | { readonly kind: "list"; readonly items: readonly { readonly index: number; readonly plan: Plan }[] }
  | { readonly kind: "fields"; readonly fields: ReadonlyMap<string, FieldPlan> }
  /** A tag begins in one string and may end in a later one, so the plan depends on the whole text. */
  | { readonly kind: "open"; readonly text?: PlannedText };

/** The parts of a field that have tags: its key, its value, or both. */
export interface FieldPlan {
  readonly key?: PlannedText;
  readonly value?: Plan;
}

type Fields = { readonly [key: string]: unknown };

const OPEN: Plan = { kind: "open" };
const plans = new WeakMap<object, Plan | "untagged">();
/**
 * Objects that a pass made, or that were derived from such objects: their plans are recorded, not read from their
 * strings.
 */
const filledObjects = new WeakSet<object>();

let areTagsInValuesRead = false;

/**
 * Runs `act` with Argo's behavior: a tag in a value is filled in by the next pass, regardless of where the value came
 * from. For clusters whose workflows depend on it. Anyone who can write a value can then run expressions.
 */
export function withTagsInValues<T>(act: () => T): T {
  const outer = areTagsInValuesRead;
  areTagsInValuesRead = true;
  try {
    return act();
  } finally {
    areTagsInValuesRead = outer;
  }
}

/** Returns the plan of a value; undefined when it has no tags. */
export function planOf(value: unknown): Plan | undefined {
  if (typeof value === "string") return planOfText(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (areTagsInValuesRead && filledObjects.has(value)) return readPlan(value);
  let plan = plans.get(value);
  if (plan === undefined) plans.set(value, plan = readPlan(value) ?? "untagged");
  return plan === "untagged" ? undefined : plan;
}

/** Records the tags that a pass left in an object that it made. */
export function recordPlan(made: object, plan: Plan | undefined): void {
  filledObjects.add(made);
  plans.set(made, plan ?? "untagged");
}

/**
 * Records that `made` was derived from `source`: identical fields keep their tags, all other strings are values.
 * Returns `made`.
 */
export function recordDerived<T extends object>(made: T, source: object): T {
  return recordDerivedWith(made, source, new Map());
}

/** Same as `recordDerived`, except that the fields in `others` have other sources, with the given plans. */
export function recordDerivedWith<T extends object>(
  made: T,
  source: object,
  others: ReadonlyMap<string, Plan | undefined>,
): T {
  const plan = planOf(source);
  const known = fieldsOf(plan?.kind === "open" && plan.text === undefined ? readPlan(source, true) : plan);
  const fields = new Map<string, FieldPlan>();
  for (const key of Object.keys(made)) {
    const value = (made as Fields)[key];
    const isSame = Object.hasOwn(source, key) && (source as Fields)[key] === value;
    if (isSame) {
      const found = known.get(key);
      if (found !== undefined) fields.set(key, found);
      continue;
    }
    const found = others.has(key) ? others.get(key) : typeof value === "object" ? planOf(value) : undefined;
    if (found !== undefined && found !== OPEN) fields.set(key, { value: found });
  }
  if (Array.isArray(made)) return recordDerivedList(made, fields);
  recordPlan(made, fields.size === 0 ? undefined : { kind: "fields", fields });
  return made;
}

function recordDerivedList<T extends object>(made: T, fields: ReadonlyMap<string, FieldPlan>): T {
  const items = Array.from(fields, ([index, { value }]) => ({ index: Number(index), plan: value! }));
  recordPlan(made, items.length === 0 ? undefined : { kind: "list", items });
  return made;
}

function fieldsOf(plan: Plan | undefined): ReadonlyMap<string, FieldPlan> {
  if (plan?.kind === "list") return new Map(plan.items.map(({ index, plan }) => [String(index), { value: plan }]));
  return plan?.kind === "fields" ? plan.fields : new Map();
}

/**
 * Records that `made` was merged from `over` and `under`, at least one of which contains values. Each part keeps the
 * plan that it had in its source. List elements are matched by name.
 */
export function recordMerged<T extends object>(made: T, over: object, under: object): T {
  if (!filledObjects.has(over) && !filledObjects.has(under)) return made;
  if (made === over || made === under || filledObjects.has(made)) return made;
  const sources = [over, under];
  const others = new Map<string, Plan | undefined>();
  for (const [key, value] of Object.entries(made)) {
    const parts = sources.map((source) => ({ source, part: partOf(source, key, value) }));
    const whole = parts.find(({ part }) => part?.value === value);
    if (whole?.part !== undefined) others.set(key, planOfField(whole.source, whole.part.key));
    else if (typeof value === "object" && value !== null) {
      const [first, second] = parts.map(({ part }) => part?.value).filter((value) =>
        typeof value === "object" && value !== null
      );
      others.set(
        key,
        planOf(first ? recordMerged(value, first as object, (second ?? {}) as object) : markAsValues(value)),
      );
    }
  }
  return recordDerivedWith(made, {}, others);
}

/**
 * Returns the entry of an object with a key. In a list, returns the same element or else the one with the same name.
 * Undefined when it has no such entry.
 */
function partOf(
  source: object,
  key: string,
  value: unknown,
): { readonly key: string; readonly value: unknown } | undefined {
  if (!Array.isArray(source)) return Object.hasOwn(source, key) ? { key, value: (source as Fields)[key] } : undefined;
  const same = source.indexOf(value);
  const name = typeof value === "object" && value !== null ? (value as Fields).name : undefined;
  const index = same >= 0 || name === undefined ? same : source.findIndex((candidate) => candidate?.name === name);
  return index < 0 ? undefined : { key: String(index), value: source[index] };
}

/** Records that all strings in a value, at any depth, are values. Returns the value. */
export function markAsValues<T>(value: T): T {
  if (typeof value !== "object" || value === null || filledObjects.has(value)) return value;
  recordPlan(value, undefined);
  for (const child of Object.values(value)) markAsValues(child);
  return value;
}

/** Returns the tags that the author wrote in a field of an object; undefined when it has no such tags. */
export function planOfField(object: object, key: string): Plan | undefined {
  const plan = planOf(object);
  if (plan?.kind !== "open") return fieldsOf(plan).get(key)?.value;
  const found = plan.text === undefined ? planOf((object as Fields)[key]) : undefined;
  // An unclosed tag in this string is independent of the text after it in other fields.
  return found === OPEN ? undefined : found;
}

/** Reports whether a pass inserted a whole string of an object as a value, so that it contains no tags. */
export function isValue(object: object, key: string): boolean {
  return !areTagsInValuesRead && filledObjects.has(object) && planOfField(object, key) === undefined;
}

/**
 * Reads the plan of an object's parts. If a tag is unclosed and values were inserted, each string is read separately,
 * so that no value becomes part of a tag.
 */
function readPlan(value: object, isApart = false): Plan | undefined {
  const plan = readPlanOfParts(value, isApart);
  return plan === OPEN && containsFilledObject(value) ? readPlanOfParts(value, true) : plan;
}

function containsFilledObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (filledObjects.has(value) && !areTagsInValuesRead) || Object.values(value).some(containsFilledObject);
}

/** @param isApart whether each string is read separately: an unclosed tag in it is then plain text. */
function readPlanOfParts(value: object, isApart: boolean): Plan | undefined {
  return Array.isArray(value) ? planOfList(value, isApart) : planOfFields(value as Fields, isApart);
}

/** Returns the plan of a part. Plans of parts are stored in that of the whole, unless a pass made the part. */
function planOfPart(value: unknown, isApart: boolean): Plan | undefined {
  if (typeof value === "string") return planOfText(value, isApart);
  if (typeof value !== "object" || value === null) return undefined;
  if (!filledObjects.has(value) || areTagsInValuesRead) return readPlanOfParts(value, isApart);
  const plan = plans.get(value);
  return plan === "untagged" ? undefined : plan;
}

function planOfText(text: string, isApart = false): Plan | undefined {
  if (!text.includes("{{")) return undefined;
  if (isClosed(text)) return { kind: "text", text: plannedText(text) };
  return isApart ? closedPart(text) : OPEN;
}

function planOfList(list: readonly unknown[], isApart: boolean): Plan | undefined {
  const items: { index: number; plan: Plan }[] = [];
  for (let index = 0; index < list.length; index++) {
    const plan = planOfPart(list[index], isApart);
    if (plan === OPEN) return OPEN;
    if (plan !== undefined) items.push({ index, plan });
  }
  return items.length === 0 ? undefined : { kind: "list", items };
}

function planOfFields(object: Fields, isApart: boolean): Plan | undefined {
  const fields = new Map<string, FieldPlan>();
  for (const key in object) {
    const value = planOfPart(object[key], isApart);
    const keyPlan = planOfText(key, isApart);
    if (value === OPEN || keyPlan === OPEN) return OPEN;
    if (value === undefined && keyPlan === undefined) continue;
    fields.set(key, { value, key: keyPlan?.kind === "text" ? keyPlan.text : undefined });
  }
  return fields.size === 0 ? undefined : { kind: "fields", fields };
}

/** Returns the tags of a text whose last tag is not closed. */
function closedPart(text: string): Plan | undefined {
  const json = marshalTree(text as Json);
  const end = json.lastIndexOf("}}") + "}}".length;
  const { texts, tags } = findTags(json.slice(0, end));
  if (tags.length === 0) return undefined;
  return { kind: "text", text: { json, segments: { texts: texts.with(-1, texts.at(-1)! + json.slice(end)), tags } } };
}

/** Longer texts are not cached. */
const MAX_CACHED_LENGTH = 10_000;
/** Cache of texts; its size is counted in characters. Far larger than the texts of one rendering. */
const texts = new TextCache<PlannedText>({ entries: 4_000, size: 4_000_000 });

/**
 * Returns the plan of a text. Cached, because the same texts recur in new objects: pods, and steps whose other fields
 * were filled in before.
 */
function plannedText(text: string): PlannedText {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const json = marshalTree(text as Json);
  const planned = { json, segments: findTags(json) };
  if (text.length > MAX_CACHED_LENGTH) return planned;
  texts.set(text, planned);
  return planned;
}

/** Returns the plan of a text whose last tag is not closed, which fails when it is filled in. */
export function unclosedText(json: string): PlannedText {
  return {
    json,
    get segments() {
      return findTags(json);
    },
  };
}

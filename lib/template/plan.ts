/**
 * The plan of an object: which of its strings have tags, and where. It is made once per object, so that filling one in
 * again looks at nothing else. An object is known by its identity; whoever changes one in place after it was read
 * breaks that promise.
 *
 * An object that a pass filled in has a plan from the start: the tags that it left, by their places. Values that it put in
 * are in no plan, whatever they spell, so no later pass reads them. An object without a plan is taken for its author's
 * own text; whoever makes a new object out of one that was filled in says so with `derive`, or with `asData` for one that
 * holds nothing but values.
 */
import { Kept } from "../kept.ts";
import { type Json, marshalTree } from "./json_tree.ts";
import { findTags, isClosed, type Segments } from "./tags.ts";

/** A string with tags. */
export interface PlannedText {
  /** Its JSON, which is what tags are found in. */
  readonly json: string;
  /** The same JSON, cut at its tags. */
  readonly segments: Segments;
}

/** The parts of a value that have tags; the other parts are not mentioned. */
export type Plan =
  | { readonly kind: "text"; readonly text: PlannedText }
  | { readonly kind: "list"; readonly items: readonly { readonly index: number; readonly plan: Plan }[] }
  | { readonly kind: "fields"; readonly fields: ReadonlyMap<string, FieldPlan> }
  /** A tag begins in one string and may end in a later one: only the whole text tells what it is. */
  | { readonly kind: "open"; readonly text?: PlannedText };

/** The parts of a field that have tags: its key, its value, or both. */
export interface FieldPlan {
  readonly key?: PlannedText;
  readonly value?: Plan;
}

type Fields = { readonly [key: string]: unknown };

const OPEN: Plan = { kind: "open" };
const objects = new WeakMap<object, Plan | "untagged">();
/** Objects that a pass made, or that were made out of such: their strings are known, not read. */
const filled = new WeakSet<object>();

let readsValues = false;

/**
 * Runs `act` as Argo does it: a value that spells a tag is filled in by the next pass, wherever the value came from. For
 * clusters whose workflows rely on that; it lets whoever writes a value run expressions.
 */
export function withTagsInValues<T>(act: () => T): T {
  const outer = readsValues;
  readsValues = true;
  try {
    return act();
  } finally {
    readsValues = outer;
  }
}

/** The plan of a value, undefined where it has no tags. */
export function planOf(value: unknown): Plan | undefined {
  if (typeof value === "string") return planOfText(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (readsValues && filled.has(value)) return read(value);
  let plan = objects.get(value);
  if (plan === undefined) objects.set(value, plan = read(value) ?? "untagged");
  return plan === "untagged" ? undefined : plan;
}

/** Notes the tags that a pass left in what it made. */
export function notePlan(made: object, plan: Plan | undefined): void {
  filled.add(made);
  objects.set(made, plan ?? "untagged");
}

/**
 * Notes that `made` was made out of `source`: fields that are the same have the tags they had, other strings in it are
 * values. Returns `made`.
 */
export function derive<T extends object>(made: T, source: object): T {
  return deriveWith(made, source, new Map());
}

/** As `derive`; some fields come from elsewhere, with the tags that are told here. */
export function deriveWith<T extends object>(
  made: T,
  source: object,
  others: ReadonlyMap<string, Plan | undefined>,
): T {
  const plan = planOf(source);
  const known = fieldsOf(plan?.kind === "open" && plan.text === undefined ? read(source, true) : plan);
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
  if (Array.isArray(made)) return deriveList(made, fields);
  notePlan(made, fields.size === 0 ? undefined : { kind: "fields", fields });
  return made;
}

function deriveList<T extends object>(made: T, fields: ReadonlyMap<string, FieldPlan>): T {
  const items = Array.from(fields, ([index, { value }]) => ({ index: Number(index), plan: value! }));
  notePlan(made, items.length === 0 ? undefined : { kind: "list", items });
  return made;
}

function fieldsOf(plan: Plan | undefined): ReadonlyMap<string, FieldPlan> {
  if (plan?.kind === "list") return new Map(plan.items.map(({ index, plan }) => [String(index), { value: plan }]));
  return plan?.kind === "fields" ? plan.fields : new Map();
}

/**
 * Notes that `made` was merged of `over` and `under`, where one of them holds values: what it has of either has the tags it
 * had there. What is told apart by a name in a list is looked for by that name.
 */
export function deriveMerged<T extends object>(made: T, over: object, under: object): T {
  if (!filled.has(over) && !filled.has(under)) return made;
  if (made === over || made === under || filled.has(made)) return made;
  const sources = [over, under];
  const others = new Map<string, Plan | undefined>();
  for (const [key, value] of Object.entries(made)) {
    const parts = sources.map((source) => ({ source, part: partOf(source, key, value) }));
    const whole = parts.find(({ part }) => part?.value === value);
    if (whole?.part !== undefined) others.set(key, planOfField(whole.source, whole.part.key));
    else if (typeof value === "object" && value !== null) {
      const [first, second] = parts.map(({ part }) => part?.value).filter((one) =>
        typeof one === "object" && one !== null
      );
      others.set(key, planOf(first ? deriveMerged(value, first as object, (second ?? {}) as object) : asData(value)));
    }
  }
  return deriveWith(made, {}, others);
}

/**
 * The entry of an object with a key; of a list, the very same element or else the one with the same name. Undefined
 * where there is none.
 */
function partOf(
  source: object,
  key: string,
  value: unknown,
): { readonly key: string; readonly value: unknown } | undefined {
  if (!Array.isArray(source)) return Object.hasOwn(source, key) ? { key, value: (source as Fields)[key] } : undefined;
  const same = source.indexOf(value);
  const name = typeof value === "object" && value !== null ? (value as Fields).name : undefined;
  const at = same >= 0 || name === undefined ? same : source.findIndex((one) => one?.name === name);
  return at < 0 ? undefined : { key: String(at), value: source[at] };
}

/** Notes that all strings of a value are values, at any depth. Returns the value. */
export function asData<T>(value: T): T {
  if (typeof value !== "object" || value === null || filled.has(value)) return value;
  notePlan(value, undefined);
  for (const one of Object.values(value)) asData(one);
  return value;
}

/** The tags of a field of an object; undefined where it has none that its author wrote. */
export function planOfField(object: object, key: string): Plan | undefined {
  const plan = planOf(object);
  if (plan?.kind !== "open") return fieldsOf(plan).get(key)?.value;
  const found = plan.text === undefined ? planOf((object as Fields)[key]) : undefined;
  // A tag that is not closed in its string has nothing to do with what stands behind it elsewhere.
  return found === OPEN ? undefined : found;
}

/** Whether a string of an object was put in by a pass as a whole: what looks like a tag in it is none. */
export function isValue(object: object, key: string): boolean {
  return !readsValues && filled.has(object) && planOfField(object, key) === undefined;
}

/** The plan of what stands in an object. One that is open within would read values as well, where some were put in. */
function read(value: object, isApart = false): Plan | undefined {
  const plan = readParts(value, isApart);
  return plan === OPEN && holdsFilled(value) ? readParts(value, true) : plan;
}

function holdsFilled(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (filled.has(value) && !readsValues) || Object.values(value).some(holdsFilled);
}

/** @param isApart whether each string is taken by itself: a tag that is not closed in it is text. */
function readParts(value: object, isApart: boolean): Plan | undefined {
  return Array.isArray(value) ? planOfList(value, isApart) : planOfFields(value as Fields, isApart);
}

/** The plan of a part; parts are kept with their whole, unless a pass made them. */
function planOfPart(value: unknown, isApart: boolean): Plan | undefined {
  if (typeof value === "string") return planOfText(value, isApart);
  if (typeof value !== "object" || value === null) return undefined;
  if (!filled.has(value) || readsValues) return readParts(value, isApart);
  const plan = objects.get(value);
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

/** The tags of a text whose last one is not closed. */
function closedPart(text: string): Plan | undefined {
  const json = marshalTree(text as Json);
  const end = json.lastIndexOf("}}") + "}}".length;
  const { texts, tags } = findTags(json.slice(0, end));
  if (tags.length === 0) return undefined;
  return { kind: "text", text: { json, segments: { texts: texts.with(-1, texts.at(-1)! + json.slice(end)), tags } } };
}

/** Texts longer than this are not kept. */
const LONGEST_KEPT = 10_000;
/** Texts that are kept, by their characters; whatever is rendered at one time is far less. */
const texts = new Kept<PlannedText>({ entries: 4_000, size: 4_000_000 });

/** Texts come again in objects that are new: pods, and steps whose other fields were filled in before. */
function plannedText(text: string): PlannedText {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const json = marshalTree(text as Json);
  const planned = { json, segments: findTags(json) };
  if (text.length > LONGEST_KEPT) return planned;
  texts.set(text, planned);
  return planned;
}

/** A text whose last tag is not closed fails when it is filled in. */
export function unclosed(json: string): PlannedText {
  return {
    json,
    get segments() {
      return findTags(json);
    },
  };
}

/** Two people's changes of one manifest put together: what only they changed goes into my text, what both changed is told. Pure. */
import { fieldsOf, isObject, ownField } from "@tiphys/base/fields_of";
import { type Edit, type EditStep, withEdits } from "@tiphys/model/yaml";
import { manifestText, readManifest } from "./manifest.ts";

/** A place that both changed, each to something else; mine stays until somebody takes theirs. */
export interface MergeConflict {
  /** `spec.templates[work].container.image` */
  readonly place: string;
  /** As text; undefined where it was taken away. */
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
  readonly takeTheirs: Edit;
}

/** My text with their changes in it. */
export interface Merge {
  readonly text: string;
  /** The places that only they changed. */
  readonly taken: readonly string[];
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Merges what I wrote with the object as it is now, by the object that I began with. Undefined where my text cannot be
 * read, or not be changed.
 */
export function mergeManifests(began: unknown, mine: string, theirs: unknown): Merge | undefined {
  const read = readManifest(mine);
  if ("problem" in read) return undefined;
  const found: Found = { edits: [], conflicts: [] };
  const [before, now] = [edited(began), edited(theirs)];
  if (!isObject(before) || !isObject(read.object) || !isObject(now)) return undefined;
  compare(found, [], before, read.object, now);
  const text = withEdits(mine, found.edits);
  if (text === undefined) return undefined;
  return {
    text,
    taken: found.edits.map(({ path }) => placeText(path)).filter((place) => place !== VERSION),
    conflicts: found.conflicts.filter(({ place }) => place !== VERSION),
  };
}

/** By it the server knows what my text was made on: that is their object now. A text without one stays without. */
const VERSION = "metadata.resourceVersion";

interface Found {
  readonly edits: Edit[];
  readonly conflicts: MergeConflict[];
}

type Path = readonly EditStep[];

/** The object as an editor shows it: what the cluster alone writes is nobody's change. */
function edited(object: unknown): unknown {
  const read = readManifest(manifestText(object));
  return "object" in read ? read.object : undefined;
}

function compare(found: Found, path: Path, began: unknown, mine: unknown, theirs: unknown): void {
  if (isSame(began, theirs) || isSame(mine, theirs)) return;
  // As deep as there is something to compare: what I wrote beside it stays as it is.
  if (isObject(began) && isObject(mine) && isObject(theirs)) {
    for (const name of new Set([...Object.keys(began), ...Object.keys(theirs)])) {
      compare(found, [...path, name], ownField(began, name), ownField(mine, name), ownField(theirs, name));
    }
    return;
  }
  const [one, two, three] = [began, mine, theirs].map(byName);
  if (one && two && three) {
    for (const name of new Set([...one.keys(), ...three.keys()])) {
      compare(found, [...path, { name }], one.get(name), two.get(name), three.get(name));
    }
    return;
  }
  const change = { path: path as Edit["path"], value: theirs };
  if (isSame(began, mine)) found.edits.push(change);
  else {
    const place = placeText(path);
    found.conflicts.push({ place, mine: valueText(mine), theirs: valueText(theirs), takeTheirs: change });
  }
}

/** The items of a list by their names; undefined where one has none, or two have the same. */
function byName(list: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = new Map<string, unknown>();
  for (const item of list) {
    const { name } = fieldsOf(item);
    if (typeof name !== "string" || items.has(name)) return undefined;
    items.set(name, item);
  }
  return items;
}

/** Whether two values of manifests say the same, whatever the order of fields. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isSame(one, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}

function placeText(path: Path): string {
  return path.map((step) => typeof step === "string" ? `.${step}` : `[${step.name}]`).join("").replace(/^\./, "");
}

function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "object" && value !== null ? JSON.stringify(value, undefined, 2) : String(value);
}

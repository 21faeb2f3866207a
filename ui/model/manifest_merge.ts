/**
 * Merges the changes of two people to one manifest: changes on their side go into my text, and changes on both sides
 * are conflicts. Pure.
 */
import { fieldsOf, isObject, ownField } from "@tiphys/base/fields_of";
import { type Edit, type EditStep, withEdits } from "@tiphys/model/yaml";
import { manifestText, readManifest } from "./manifest.ts";

/** A field that both sides changed to different values. Mine is kept until the user takes theirs. */
export interface MergeConflict {
  /** `spec.templates[work].container.image` */
  readonly place: string;
  /** The value as text; undefined if the field was removed. */
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
  readonly takeTheirs: Edit;
}

/** My text with their changes. */
export interface Merge {
  readonly text: string;
  /** The fields that only they changed. */
  readonly accepted: readonly string[];
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Merges my text with the current object, based on the object that I started from. Returns undefined if my text cannot
 * be parsed or edited.
 */
export function mergeManifests(began: unknown, mine: string, theirs: unknown): Merge | undefined {
  const read = readManifest(mine);
  if ("problem" in read) return undefined;
  const found: MergeResult = { edits: [], conflicts: [] };
  const [before, now] = [editableObject(began), editableObject(theirs)];
  if (!isObject(before) || !isObject(read.object) || !isObject(now)) return undefined;
  compareValues(found, [], before, read.object, now);
  const text = withEdits(mine, found.edits);
  if (text === undefined) return undefined;
  return {
    text,
    accepted: found.edits.map(({ path }) => placeText(path)).filter((place) => place !== VERSION),
    conflicts: found.conflicts.filter(({ place }) => place !== VERSION),
  };
}

/**
 * The server uses it to detect conflicts: my text is now based on their object. A text without a version stays without
 * one.
 */
const VERSION = "metadata.resourceVersion";

interface MergeResult {
  readonly edits: Edit[];
  readonly conflicts: MergeConflict[];
}

type Path = readonly EditStep[];

/** The object as an editor shows it: fields that only the cluster writes never count as changes. */
function editableObject(object: unknown): unknown {
  const read = readManifest(manifestText(object));
  return "object" in read ? read.object : undefined;
}

function compareValues(merged: MergeResult, path: Path, began: unknown, mine: unknown, theirs: unknown): void {
  if (isSame(began, theirs) || isSame(mine, theirs)) return;
  // Merges field by field, so that my other changes in the same object are kept.
  if (isObject(began) && isObject(mine) && isObject(theirs)) {
    for (const name of new Set([...Object.keys(began), ...Object.keys(theirs)])) {
      compareValues(merged, [...path, name], ownField(began, name), ownField(mine, name), ownField(theirs, name));
    }
    return;
  }
  const [one, two, three] = [began, mine, theirs].map(itemsByName);
  if (one && two && three) {
    for (const name of new Set([...one.keys(), ...three.keys()])) {
      compareValues(merged, [...path, { name }], one.get(name), two.get(name), three.get(name));
    }
    return;
  }
  const change = { path: path as Edit["path"], value: theirs };
  if (isSame(began, mine)) merged.edits.push(change);
  else {
    const place = placeText(path);
    merged.conflicts.push({ place, mine: valueText(mine), theirs: valueText(theirs), takeTheirs: change });
  }
}

/** Returns the items of a list by name, or undefined if names are missing or not unique. */
function itemsByName(list: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = new Map<string, unknown>();
  for (const item of list) {
    const { name } = fieldsOf(item);
    if (typeof name !== "string" || items.has(name)) return undefined;
    items.set(name, item);
  }
  return items;
}

/** Reports whether two values are equal, ignoring the order of fields. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((candidate, index) => isSame(candidate, b[index]));
  }
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

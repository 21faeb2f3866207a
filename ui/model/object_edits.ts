/**
 * Edits of single fields of an object, and their undo, which fails if somebody changed the object in the meantime.
 * Pure.
 */
import { isObject } from "@tiphys/base/fields_of";
import type { Edit, EditStep } from "@tiphys/model/yaml";
import { isSame } from "./manifest_merge.ts";

/** Returns the object with edits applied; maps that become empty are removed. */
export function applyEdits<T>(object: T, edits: readonly Edit[]): T {
  return edits.reduce((all, { path, value }) => setAt(all, path, value) as T, object);
}

function setAt(holder: unknown, [step, ...rest]: readonly EditStep[], value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "string") {
    const { [step]: old, ...others } = isObject(holder) ? holder : {};
    const next = setAt(old, rest, value);
    const isGone = next === undefined || isObject(next) && Object.keys(next).length === 0;
    if (isGone) return others;
    // An existing field keeps its position.
    return isObject(holder) && Object.hasOwn(holder, step) ? { ...holder, [step]: next } : { ...others, [step]: next };
  }
  const items: readonly unknown[] = Array.isArray(holder) ? holder : [];
  const itemIndex = items.findIndex((item) => isObject(item) && item.name === step.name);
  const next = setAt(items[itemIndex] ?? { name: step.name }, rest, value);
  if (next === undefined) return items.filter((_, index) => index !== itemIndex);
  return itemIndex < 0 ? [...items, next] : items.map((item, index) => index === itemIndex ? next : item);
}

/** Returns the value at a path. */
export function valueAt(object: unknown, path: readonly EditStep[]): unknown {
  return path.reduce((holder: unknown, step) => {
    if (typeof step === "string") return isObject(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined;
    return Array.isArray(holder) ? holder.find((item) => isObject(item) && item.name === step.name) : undefined;
  }, object);
}

/** Adds an edit. Earlier edits at its path or below it are dropped, and so is an edit that sets the current value. */
export function addEdit(object: unknown, edits: readonly Edit[], edit: Edit): readonly Edit[] {
  const others = edits.filter(({ path }) => !isWithin(path, edit.path));
  const isInChanged = others.some(({ path }) => isWithin(edit.path, path));
  return !isInChanged && isSame(valueAt(object, edit.path), edit.value) ? others : [...others, edit];
}

function isWithin(path: readonly EditStep[], whole: readonly EditStep[]): boolean {
  return whole.every((step, index) => isSame(step, path[index]));
}

/** The fields of a stored object that are used here. */
export interface StoredObject {
  readonly metadata: {
    readonly resourceVersion?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
  readonly spec: unknown;
}

/** Reports whether two states of an object are equal for users: fields that the cluster writes are ignored. */
export function isSameToUsers(storedObject: StoredObject, other: StoredObject): boolean {
  return isSame(userFieldsOf(storedObject), userFieldsOf(other));
}

function userFieldsOf({ metadata: { labels = {}, annotations = {} }, spec }: StoredObject) {
  return { labels, annotations, spec };
}

/**
 * Returns the current object with the user's fields of its former state, or undefined if somebody changed it since it
 * was saved. It has the current resource version, so that a concurrent change is a conflict.
 */
export function undoChange<T extends StoredObject>(former: T, saved: T, now: T): T | undefined {
  if (!isSameToUsers(saved, now)) return undefined;
  const { labels, annotations } = former.metadata;
  return applyEdits(now, [
    { path: ["spec"], value: former.spec },
    { path: ["metadata", "labels"], value: labels },
    { path: ["metadata", "annotations"], value: annotations },
  ]);
}

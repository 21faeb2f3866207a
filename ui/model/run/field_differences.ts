/** The fields in which two values differ, by path. List items are matched by name if all have one. Pure. */
import { isObject } from "@tiphys/base/fields_of";

/** A field with its value as JSON on each side; undefined where it is missing. */
export interface FieldDifference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The maximum number of differences that are listed. */
const MAX_ITEMS = 100;
/** The deepest level that is compared field by field. */
const MAX_DEPTH = 40;

/** Returns the differences, in the order of the later value. */
export function fieldDifferences(before: unknown, after: unknown, path = ""): FieldDifference[] {
  const found: FieldDifference[] = [];
  compareFields(before, after, path, 0);
  return found;

  function compareFields(old: unknown, now: unknown, path: string, level: number): void {
    if (found.length >= MAX_ITEMS || old === now) return;
    const [one, other] = level < MAX_DEPTH ? [entriesOf(old), entriesOf(now)] : [undefined, undefined];
    if (one && other && Array.isArray(old) === Array.isArray(now)) {
      const isList = Array.isArray(old);
      for (const name of new Set([...other.keys(), ...one.keys()])) {
        const inner = isList ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
        compareFields(one.get(name), other.get(name), inner, level + 1);
      }
    } else if (textOf(old) !== textOf(now)) {
      found.push({ name: path, before: textOf(old), after: textOf(now) });
    }
  }
}

/** Returns the fields of an object or the items of a list; undefined for other values. */
function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const names = value.map((item) => isObject(item) && typeof item.name === "string" ? item.name : undefined);
    const areNamed = value.length > 0 && new Set(names).size === value.length && !names.includes(undefined);
    return new Map(value.map((item, index) => [areNamed ? names[index]! : String(index), item]));
  }
  return isObject(value) ? new Map(Object.entries(value)) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : value === undefined ? undefined : JSON.stringify(value);
}

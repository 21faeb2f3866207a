/** The fields in which two values differ, by their paths; entries of a list are matched by their names where all have one. Pure. */
import { isObject } from "@tiphys/base/fields_of";

/** A field: the value as JSON on each side, undefined where there is none. */
export interface FieldDifference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The most that are told. */
const MOST = 100;
/** The deepest level that is looked into: a value below it differs as a whole. */
const DEEPEST = 40;

/** The differences, in the order of the value after. */
export function fieldDifferences(before: unknown, after: unknown, path = ""): FieldDifference[] {
  const found: FieldDifference[] = [];
  look(before, after, path, 0);
  return found;

  function look(old: unknown, now: unknown, at: string, level: number): void {
    if (found.length >= MOST || old === now) return;
    const [one, other] = level < DEEPEST ? [entriesOf(old), entriesOf(now)] : [undefined, undefined];
    if (one && other && Array.isArray(old) === Array.isArray(now)) {
      const isList = Array.isArray(old);
      for (const name of new Set([...other.keys(), ...one.keys()])) {
        const inner = isList ? `${at}[${name}]` : at === "" ? name : `${at}.${name}`;
        look(one.get(name), other.get(name), inner, level + 1);
      }
    } else if (textOf(old) !== textOf(now)) {
      found.push({ name: at, before: textOf(old), after: textOf(now) });
    }
  }
}

/** The parts of an object or a list; undefined for other values. */
function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const names = value.map((one) => isObject(one) && typeof one.name === "string" ? one.name : undefined);
    const areNamed = value.length > 0 && new Set(names).size === value.length && !names.includes(undefined);
    return new Map(value.map((one, at) => [areNamed ? names[at]! : String(at), one]));
  }
  return isObject(value) ? new Map(Object.entries(value)) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : value === undefined ? undefined : JSON.stringify(value);
}

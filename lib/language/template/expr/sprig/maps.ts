/** sprig's functions on maps. */
import {
  ANY,
  ANY_MAP,
  ANY_SLICE,
  BOOL,
  isPlainMap,
  listItems,
  ownEntry,
  STRING_SLICE,
  typeName,
  type Value,
  type ValueMap,
} from "@tiphys/base/go";
import { fail } from "../failure.ts";
import { toStringOperand } from "../operators.ts";
import { define, type Functions, makeMap, modifiableMap } from "./define.ts";
import { isEmpty } from "./logic.ts";
import { stringList, textOf } from "./text.ts";

function dict(...pairs: Value[]): Value {
  const map = makeMap();
  for (let i = 0; i < pairs.length; i += 2) {
    const [key = null, value = ""] = pairs.slice(i, i + 2);
    map[textOf(key)] = value;
  }
  return map;
}

function dig(...args: Value[]): Value {
  if (args.length < 3) fail("dig needs at least three arguments");
  const keys = args.slice(0, -2).map(toStringOperand);
  const [fallback = null, map = null] = args.slice(-2);
  let current = map;
  for (const key of keys) {
    if (!isPlainMap(current)) {
      fail(
        `interface conversion: interface {} is ${
          typeName(current).replace("<nil>", "nil")
        }, not map[string]interface {}`,
      );
    }
    const inner = ownEntry(current, key);
    if (inner === undefined) return fallback;
    current = inner;
  }
  return current;
}

/**
 * Merges the source into the target: missing and empty values are set, nested maps are merged. With `overwrite`,
 * everything except empty values is replaced.
 */
function mergeInto(target: Record<string, Value>, source: ValueMap, overwrite: boolean): void {
  for (const [key, value] of Object.entries(source)) {
    const present = Object.hasOwn(target, key) ? target[key] : undefined;
    if (value === null) {
      if (overwrite) target[key] = null;
      continue;
    }
    if (isPlainMap(value) && isPlainMap(present ?? null)) {
      const inner = modifiableMap(present as ValueMap);
      mergeInto(inner, value, overwrite);
      target[key] = inner;
      continue;
    }
    const keeps = present !== undefined && !isEmpty(present);
    if (keeps && (!overwrite || (listItems(value) !== undefined && listItems(value)!.length === 0))) continue;
    target[key] = value;
  }
}

function merge(overwrite: boolean) {
  return (target: ValueMap, ...sources: ValueMap[]): Value => {
    const merged = modifiableMap(target);
    for (const source of sources) mergeInto(merged, source, overwrite);
    return merged;
  };
}

function copyOrFail(value: Value): Value {
  return value === null ? fail("reflect: call of reflect.Value.Type on zero Value") : deepCopy(value);
}

/** Returns a deep copy. Immutable values are shared. */
function deepCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(deepCopy);
  if (isPlainMap(value)) return makeMap(Object.entries(value).map(([key, item]) => [key, deepCopy(item)]));
  return value;
}

const entriesOf = (map: ValueMap) => Object.entries(map);

export const MAPS: Functions = {
  dict: define("...any", ANY_MAP, dict),
  get: define("map string", ANY, (map: ValueMap, key: string) => Object.hasOwn(map, key) ? map[key] ?? null : ""),
  set: define("map string any", ANY_MAP, (map: ValueMap, key: string, value: Value) => {
    const changed = modifiableMap(map);
    changed[key] = value;
    return changed;
  }),
  unset: define("map string", ANY_MAP, (map: ValueMap, key: string) => {
    const changed = modifiableMap(map);
    delete changed[key];
    return changed;
  }),
  hasKey: define("map string", BOOL, (map: ValueMap, key: string) => Object.hasOwn(map, key)),
  pluck: define(
    "string ...map",
    ANY_SLICE,
    (key: string, ...maps: ValueMap[]) => maps.map((map) => ownEntry(map, key)).filter((value) => value !== undefined),
  ),
  keys: define("...map", STRING_SLICE, (...maps: ValueMap[]) => stringList(maps.flatMap((map) => Object.keys(map)))),
  values: define("map", ANY_SLICE, (map: ValueMap) => Object.values(map)),
  pick: define(
    "map ...string",
    ANY_MAP,
    (map: ValueMap, ...keys: string[]) =>
      makeMap(keys.filter((key) => Object.hasOwn(map, key)).map((key) => [key, map[key] ?? null])),
  ),
  omit: define(
    "map ...string",
    ANY_MAP,
    (map: ValueMap, ...keys: string[]) => makeMap(entriesOf(map).filter(([key]) => !keys.includes(key))),
  ),
  merge: define("map ...map", ANY, merge(false)),
  mustMerge: define("map ...map", ANY, merge(false), { fails: true }),
  mergeOverwrite: define("map ...map", ANY, merge(true)),
  mustMergeOverwrite: define("map ...map", ANY, merge(true), { fails: true }),
  dig: define("...any", ANY, dig, { fails: true }),
  deepCopy: define("any", ANY, copyOrFail),
  mustDeepCopy: define("any", ANY, copyOrFail, { fails: true }),
};

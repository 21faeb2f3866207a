/** Declares sprig functions: the Go signature, which determines the accepted arguments, and the implementation. */
import {
  ANY,
  ANY_MAP,
  funcOf,
  GoFunction,
  type GoType,
  INT,
  STRING,
  TIME,
  type Value,
  type ValueMap,
} from "@tiphys/base/go";

import { chargeRun, currentBudget } from "../budget.ts";

/** Functions by name. */
export type Functions = Readonly<Record<string, GoFunction>>;

/** Type names of parameters: `string int any map time`, with `...` before a repeatable last one. */
const TYPES: Readonly<Record<string, GoType>> = { string: STRING, int: INT, any: ANY, map: ANY_MAP, time: TIME };

/**
 * Declares a function: `define("string int", STRING, (text, count) => …)`. `fails` means that the Go function also
 * returns an error.
 */
export function define(
  parameters: string,
  result: GoType,
  call: (...args: never[]) => Value,
  options: { fails?: boolean; types?: Readonly<Record<string, GoType>> } = {},
): GoFunction {
  const words = parameters === "" ? [] : parameters.split(" ");
  const variadic = words.at(-1)?.startsWith("...") ?? false;
  const types = words.map((word) => {
    const name = word.replace("...", "");
    const type = options.types?.[name] ?? TYPES[name];
    if (type === undefined) throw new Error(`No type is called ${JSON.stringify(name)}`);
    return type;
  });
  const type = funcOf(types, result, { variadic, fails: options.fails });
  return new GoFunction(type, call as (...args: Value[]) => Value);
}

const mapsOfRuns = new WeakSet<object>();

/** Makes a map during a run, which `set`, `unset` and `merge` may modify in place. */
export function makeMap(entries: Iterable<readonly [string, Value]> = []): Record<string, Value> {
  const map: Record<string, Value> = Object.create(null);
  for (const [key, value] of entries) map[key] = value;
  mapsOfRuns.add(map);
  return map;
}

/** Returns the map itself if a run made it, and a copy otherwise, because the caller's maps must not be modified. */
export function modifiableMap(map: ValueMap): Record<string, Value> {
  if (mapsOfRuns.has(map)) return map as Record<string, Value>;
  const entries = Object.entries(map);
  currentBudget().chargeElements(entries.length);
  chargeRun(entries.length * 500);
  return makeMap(entries);
}

/** The environment of expressions: nested maps made from flat names, and Argo's functions. */
import {
  ANY,
  compareText,
  funcOf,
  GoFunction,
  marshalJson,
  STRING,
  unmarshalJson,
  type Value,
  type ValueMap,
} from "@tiphys/base/go";
import { convertToFloat, convertToInt } from "./builtins/numbers.ts";
import { asRunFailure } from "./failure.ts";
import { queryJsonPath } from "./jsonpath/mod.ts";
import { ARGO_PRICES, setPrices } from "./price_list.ts";
import { SPRIG } from "./sprig/mod.ts";

const FUNCTIONS = {
  asInt: new GoFunction(funcOf([ANY], ANY), convertToInt),
  asFloat: new GoFunction(funcOf([ANY], ANY), convertToFloat),
  toJson: new GoFunction(funcOf([ANY], STRING), (value) => asRunFailure(() => marshalJson(value))),
  jsonpath: new GoFunction(
    funcOf([STRING, STRING], ANY),
    (json, path) => queryJsonPath(asRunFailure(() => unmarshalJson(json as string)), path as string),
  ),
};
setPrices(FUNCTIONS, ARGO_PRICES);

/** The functions that Argo adds to the builtins: `asInt`, `asFloat`, `toJson`, `jsonpath` and the map `sprig`. */
export const ARGO_FUNCTIONS: ValueMap = { ...FUNCTIONS, sprig: SPRIG };

/**
 * Unfolds dotted keys (`inputs.parameters.x`) into nested maps and adds Argo's functions. If both `a` and `a.b`
 * exist, `a` is dropped. Strings and null stand for themselves; other values must be values of the language.
 *
 * ```ts
 * import { environment, evaluate } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const env = environment(new Map([["workflow.labels.app", "web"], ["workflow.name", "w"]]));
 * assertEquals(evaluate("workflow.labels.app + '-' + workflow.name", env), "web-w");
 * ```
 */
export function environment(flat: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.assign(unfold(flat), ARGO_FUNCTIONS);
}

/** Returns the nested maps without functions, for success conditions and event selectors. */
export function unfold(flat: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const root: Branch = Object.create(null);
  const branches = new Set<object>([root]);
  for (const [key, value] of withoutParents(flat)) {
    const path = key.split(".");
    const last = path.pop()!;
    let branch = root;
    for (const name of path) {
      const below = Object.hasOwn(branch, name) ? branch[name] : undefined;
      if (isBranch(below, branches)) branch = below;
      else {
        const made: Branch = Object.create(null);
        branches.add(made);
        branch[name] = made;
        branch = made;
      }
    }
    // A child takes precedence over its parent, in any order.
    if (!(Object.hasOwn(branch, last) && isBranch(branch[last], branches))) branch[last] = value as Value;
  }
  return root;
}

type Branch = Record<string, Value>;

function isBranch(value: Value | undefined, branches: ReadonlySet<object>): value is Branch {
  return typeof value === "object" && value !== null && branches.has(value);
}

/** Returns the entries without keys that are directly followed, in byte order, by one of their children. */
function withoutParents(flat: ReadonlyMap<string, unknown>): (readonly [string, unknown])[] {
  const entries = [...flat].sort(([a], [b]) => compareText(a, b));
  return entries.filter(([key], i) => !entries[i + 1]?.[0].startsWith(key + "."));
}

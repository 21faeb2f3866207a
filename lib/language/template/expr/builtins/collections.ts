/** Builtins on lists and maps. */
import {
  ANY,
  ANY_SLICE,
  arrayOf,
  FLOAT_SLICE,
  formatValue,
  funcOf,
  GoDuration,
  GoInt,
  GoList,
  GoMap,
  type GoType,
  INT,
  INT_SLICE,
  listItems,
  mapEntries,
  NIL_LIST,
  OPEN_MAP,
  runeCount,
  sliceOf,
  STRING,
  STRING_SLICE,
  typeName,
  typeOf,
  type Value,
} from "@tiphys/base/go";
import { UserError } from "@tiphys/base/user_error";
import { get } from "../access.ts";
import { fail } from "../failure.ts";
import { compare, equal } from "../operators.ts";
import { sortLikeGo } from "../sort.ts";
import { type BuiltinFunction, maybeAny, maybeList, onlyArgument, typeInMessage } from "./builtin.ts";

const PAIR = arrayOf(ANY, 2);

function kindOf(value: Value): string {
  return value === null ? "invalid" : typeOf(value).kind;
}

function requireItems(value: Value, action: string): readonly Value[] {
  return listItems(value) ?? fail(`cannot ${action} ${kindOf(value)}`);
}

function requireEntries(value: Value, action: (kind: string) => string): (readonly [Value, Value])[] {
  return mapEntries(value) ?? fail(action(kindOf(value)));
}

/** Returns a check that the only argument is (or may be) a list, and the result type. */
function checkOneList(
  action: string,
  result: GoType | ((list: GoType) => GoType),
): (args: readonly GoType[]) => GoType {
  return (args) => {
    const list = onlyArgument(args);
    if (!maybeList(list)) fail(`cannot ${action} ${typeInMessage(list)}`);
    return typeof result === "function" ? result(list) : result;
  };
}

function checkOneMap(action: (type: string) => string): (args: readonly GoType[]) => GoType {
  return (args) => {
    const map = onlyArgument(args);
    if (map.kind !== "map" && !maybeAny(map)) fail(action(typeInMessage(map)));
    return ANY_SLICE;
  };
}

const elementOf = (list: GoType) => (maybeAny(list) ? ANY : list.elem ?? ANY);

function flattenInto(list: readonly Value[], out: Value[]): Value[] {
  for (const item of list) {
    const nested = listItems(item);
    if (nested === undefined) out.push(item);
    else flattenInto(nested, out);
  }
  return out;
}

function fromPairs(value: Value): GoMap {
  const list = listItems(value) ?? fail(`cannot transform ${formatValue(value)} from pairs`);
  const map = new GoMap(OPEN_MAP);
  for (const item of list) {
    const pair = listItems(item) ?? fail(`invalid pair ${formatValue(item)}`);
    const [key, value] = pair;
    if (key === undefined || value === undefined || pair.length !== 2) fail(`invalid pair length ${formatValue(item)}`);
    try {
      map.set(key, value);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      fail(error.message);
    }
  }
  return map;
}

function take(list: Value, count: Value): Value {
  const all = listItems(list) ?? fail(`cannot take from ${kindOf(list)}`);
  const wanted = typeof count === "bigint"
    ? count
    : count instanceof GoDuration
    ? count.nanoseconds
    : count instanceof GoInt && count.type.kind.startsWith("int")
    ? count.value
    : fail(`cannot take ${kindOf(count)} elements`);
  if (wanted < 0n) fail("reflect.Value.Slice: slice index out of bounds");
  const part = all.slice(0, wanted > BigInt(all.length) ? all.length : Number(wanted));
  if (list instanceof Uint8Array) return list.subarray(0, part.length);
  return list instanceof GoList ? new GoList(list.type, part, list.isNil) : part;
}

/** The order argument of `sort` and `sortBy`. */
export function isDescending(order: Value | undefined, fault: (order: string) => string): boolean {
  if (order === undefined) return false;
  if (typeof order !== "string") fail(`sort order argument must be a string (got ${typeName(order)})`);
  if (order !== "asc" && order !== "desc") fail(fault(order));
  return order === "desc";
}

const SORTABLE: readonly string[] = [ANY_SLICE, INT_SLICE, FLOAT_SLICE, STRING_SLICE].map((type) => type.text);

export const COLLECTION_BUILTINS: readonly BuiltinFunction[] = [
  {
    name: "len",
    validate: (args) => {
      const arg = onlyArgument(args);
      const fits = maybeList(arg) || arg.kind === "map" || arg.kind === "string";
      return fits ? INT : fail(`invalid argument for len (type ${typeInMessage(arg)})`);
    },
    run: ([value = null]) => {
      const size = typeof value === "string" ? runeCount(value) : (listItems(value) ?? mapEntries(value))?.length;
      return BigInt(size ?? fail(`invalid argument for len (type ${typeName(value)})`));
    },
  },
  {
    name: "type",
    overloads: [funcOf([ANY], STRING)],
    run: ([value = null]) => {
      if (value === null) return "nil";
      const type = typeOf(value);
      if (type.defined) return type.path ?? type.text.replace("*", "");
      if (type.kind.startsWith("int")) return type.kind === "interface" ? "unknown" : "int";
      if (type.kind.startsWith("uint")) return "uint";
      if (type.kind === "float64") return "float";
      if (type.kind === "slice") return "array";
      return type.kind === "ptr" ? "unknown" : type.kind;
    },
  },
  {
    name: "first",
    validate: checkOneList("get first element from", elementOf),
    run: ([value = null]) => listItems(value)?.[0] ?? (typeof value === "string" ? get(value, 0n) : null),
  },
  {
    name: "last",
    validate: checkOneList("get last element from", elementOf),
    run: ([value = null]) => listItems(value)?.at(-1) ?? (typeof value === "string" ? get(value, -1n) : null),
  },
  {
    name: "get",
    run: (args) => {
      const [base, key] = args;
      if (base === undefined || key === undefined) {
        return fail(`invalid number of arguments (expected 2, got ${args.length})`);
      }
      return get(base, key);
    },
  },
  {
    name: "take",
    validate: (args) => {
      const [list, count] = args;
      if (list === undefined || count === undefined || args.length !== 2) {
        return fail(`invalid number of arguments (expected 2, got ${args.length})`);
      }
      if (!maybeList(list)) fail(`cannot take from ${typeInMessage(list)}`);
      if (!/^int(32|64)?$/.test(count.kind) && !maybeAny(count)) fail(`cannot take ${typeInMessage(count)} elements`);
      return list;
    },
    run: ([list = null, count = null]) => take(list, count),
  },
  {
    name: "keys",
    validate: checkOneMap((type) => `cannot get keys from ${type}`),
    run: ([map = null]) => requireEntries(map, (kind) => `cannot get keys from ${kind}`).map(([key]) => key),
  },
  {
    name: "values",
    validate: checkOneMap((type) => `cannot get values from ${type}`),
    run: ([map = null]) => requireEntries(map, (kind) => `cannot get values from ${kind}`).map(([, value]) => value),
  },
  {
    name: "toPairs",
    validate: checkOneMap((type) => `cannot transform ${type} to pairs`),
    run: ([map = null]) => {
      const pairs = requireEntries(map, (kind) => `cannot transform ${kind} to pairs`);
      return new GoList(sliceOf(PAIR), pairs.map((pair) => new GoList(PAIR, pair)));
    },
  },
  {
    name: "fromPairs",
    validate: (args) => {
      const pairs = onlyArgument(args);
      return maybeList(pairs) ? OPEN_MAP : fail(`cannot transform ${typeInMessage(pairs)} from pairs`);
    },
    run: ([pairs = null]) => fromPairs(pairs),
  },
  {
    name: "reverse",
    validate: checkOneList("reverse", ANY_SLICE),
    run: ([value = null], budget) => {
      const list = requireItems(value, "reverse");
      budget.chargeElements(list.length);
      return list.toReversed();
    },
  },
  {
    name: "uniq",
    validate: checkOneList("uniq", ANY_SLICE),
    run: ([value = null], budget) => uniq(requireItems(value, "uniq"), () => budget.chargePredicateCalls()),
  },
  {
    name: "concat",
    validate: (args) => {
      if (args.length === 0) fail("invalid number of arguments (expected at least 1, got 0)");
      const odd = args.find((arg) => !maybeList(arg));
      return odd === undefined ? ANY_SLICE : fail(`cannot concat ${typeInMessage(odd)}`);
    },
    run: (args, budget) => {
      const all = args.flatMap((arg) => requireItems(arg, "concat"));
      budget.chargeElements(all.length);
      return all.length === 0 ? NIL_LIST : all;
    },
  },
  {
    name: "flatten",
    validate: checkOneList("flatten", ANY_SLICE),
    run: ([value = null], budget) => {
      const all = flattenInto(requireItems(value, "flatten"), []);
      budget.chargeElements(all.length);
      return all;
    },
  },
  {
    name: "sort",
    overloads: [
      funcOf([ANY_SLICE, STRING], ANY_SLICE),
      funcOf([INT_SLICE, STRING], ANY_SLICE),
      funcOf([FLOAT_SLICE, STRING], ANY_SLICE),
      funcOf([STRING_SLICE, STRING], ANY_SLICE),
      funcOf([ANY_SLICE], ANY_SLICE),
      funcOf([FLOAT_SLICE], ANY_SLICE),
      funcOf([STRING_SLICE], ANY_SLICE),
      funcOf([INT_SLICE], ANY_SLICE),
    ],
    run: (args, budget) => {
      if (args.length !== 1 && args.length !== 2) {
        fail(`invalid number of arguments (expected 1 or 2, got ${args.length})`);
      }
      const [value = null, order] = args;
      const descending = isDescending(order, (order) => `invalid order ${order}, expected asc or desc`);
      const list = listItems(value);
      if (list === undefined || !SORTABLE.includes(typeOf(value).text)) return NIL_LIST;
      const sorted = sortLikeGo(list, (a, b) => (descending ? compare(b, a, "<") : compare(a, b, "<")) < 0);
      budget.chargeElements(sorted.length);
      return sorted;
    },
  },
];

/** Removes duplicates. Texts and integers are compared by a set, other values one by one. */
function uniq(list: readonly Value[], turn: () => void): Value[] {
  const simple = new Set<Value>();
  const out: Value[] = [];
  const complex: Value[] = [];
  for (const item of list) {
    const key = typeof item === "number" && Number.isInteger(item) ? BigInt(item) : item;
    if (key === null || typeof key !== "object") {
      if (simple.has(key) || complex.some((other) => (turn(), equal(other, item)))) continue;
      if (!(typeof item === "number" && Number.isNaN(item))) simple.add(key);
    } else {
      if (out.some((other) => (turn(), equal(other, item)))) continue;
      complex.push(item);
    }
    out.push(item);
  }
  return out;
}

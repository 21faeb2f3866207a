/** The builtins that run a predicate over a list. */
import {
  ANY_SLICE,
  GoMap,
  type GoType,
  listItems,
  mapEntries,
  OPEN_MAP,
  toBytes,
  typeOf,
  type Value,
} from "@tiphys/base/go";
import { UserError } from "@tiphys/base/user_error";
import { isDescending } from "./builtins/collections.ts";
import { fail } from "./failure.ts";
import type { CompiledNode, Frame, PredicateScope } from "./frame.ts";
import { add, compare, toBool } from "./operators.ts";
import { sortLikeGo } from "./sort.ts";
import type { Builtin } from "./tree.ts";

type Loop = (frame: Frame, items: readonly Value[], each: (index: number) => Value, scope: PredicateScope) => Value;

/** Nanoseconds for a call of a predicate, and for each node in it. */
const CALL_COST = 50;
const NODE_COST = 25;

/** Compiles a call of a predicate builtin whose operands have `nodes` nodes. Undefined for any other builtin. */
export function compilePredicateCall(
  node: Builtin,
  args: readonly CompiledNode[],
  nodes: number,
): CompiledNode | undefined {
  const loop = LOOPS[node.name]?.(node, args);
  const [list, predicate] = args;
  if (loop === undefined || list === undefined) return undefined;
  const { at } = node;
  const cost = CALL_COST + nodes * NODE_COST;
  return (frame) => {
    const value = list(frame);
    frame.at = at;
    const items = elements(value);
    if (!Array.isArray(value)) frame.budget.charge(items.length * 50);
    const outer = frame.scope;
    const scope: PredicateScope = { element: null, index: 0, accumulator: null };
    const each = (index: number) => {
      frame.budget.chargePredicateCalls(1, cost);
      frame.scope = scope;
      scope.element = items[index] ?? null;
      scope.index = index;
      const result = predicate === undefined ? readableElement(scope.element) : predicate(frame);
      frame.scope = outer;
      frame.at = at;
      return result;
    };
    const result = loop(frame, items, each, scope);
    frame.scope = outer;
    return result;
  };
}

/** An entry of a map. Predicates can count it, but not read it, because it has no index. */
// deno-lint-ignore tiphys/no-double-cast -- a mark that is compared, and never read
const MAP_ENTRY = Symbol("map entry") as unknown as Value;

/** Returns the element. Fails when a predicate reads an entry of a map as if it were a list element. */
export function readableElement(element: Value): Value {
  return element === MAP_ENTRY ? fail("reflect: call of reflect.Value.Index on map Value") : element;
}

/**
 * Returns the elements that a predicate runs over: those of a list or, if the checker did not know the type, the bytes
 * of a string or the entries of a map.
 */
function elements(value: Value): readonly Value[] {
  const items = listItems(value) ?? (typeof value === "string" ? listItems(toBytes(value)) : undefined);
  if (items !== undefined) return items;
  const entries = mapEntries(value);
  if (entries !== undefined) return entries.map(() => MAP_ENTRY);
  return fail(`reflect: call of reflect.Value.Len on ${value === null ? "zero" : typeOf(value).kind} Value`);
}

function find(
  backwards: boolean,
  resultOf: (items: readonly Value[], index: number) => Value,
): (node: Builtin) => Loop {
  return (node) => (_frame, items, each) => {
    for (let i = 0; i < items.length; i++) {
      const index = backwards ? items.length - 1 - i : i;
      if (toBool(each(index))) return resultOf(items, index);
    }
    return node.mustFind ? fail("reflect: slice index out of range") : null;
  };
}

const element = (items: readonly Value[], index: number) => readableElement(items[index] ?? null);
const place = (_items: readonly Value[], index: number) => BigInt(index);

const GROUPS: GoType = { ...OPEN_MAP, text: "map[interface {}][]interface {}", elem: ANY_SLICE };

const LOOPS: Readonly<Record<string, (node: Builtin, args: readonly CompiledNode[]) => Loop>> = {
  all: () => (_frame, items, each) => items.every((_, i) => toBool(each(i))),
  none: () => (_frame, items, each) => !items.some((_, i) => toBool(each(i))),
  any: () => (_frame, items, each) => items.some((_, i) => toBool(each(i))),
  one: () => (_frame, items, each) => items.filter((_, i) => toBool(each(i))).length === 1,
  filter: () => (frame, items, each) => {
    const kept = items.filter((_, i) => toBool(each(i)));
    frame.budget.chargeElements(kept.length);
    return kept.map(readableElement);
  },
  map: () => (frame, items, each) => {
    const made = items.map((_, i) => each(i));
    frame.budget.chargeElements(made.length);
    return made;
  },
  find: find(false, element),
  findIndex: find(false, place),
  findLast: find(true, element),
  findLastIndex: find(true, place),
  count: ({ stopAt: enough }) => (_frame, items, each) => {
    let count = 0n;
    for (let i = 0; i < items.length && count !== enough; i++) if (toBool(each(i))) count++;
    return count;
  },
  sum: () => (_frame, items, each) => {
    let total: Value = 0n;
    for (let i = 0; i < items.length; i++) total = add(each(i), total);
    return total;
  },
  groupBy: () => (_frame, items, each) => {
    const groups = new GoMap(GROUPS);
    for (const [i, item] of items.entries()) {
      const key = each(i);
      readableElement(item);
      const group = lookUp(groups, key) as Value[] | undefined;
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
    return groups;
  },
  sortBy: (_node, [, , order]) => (frame, items, each, scope) => {
    frame.scope = scope;
    const direction = order?.(frame);
    const descending = isDescending(direction, () => "unknown order, use asc or desc");
    const ranked = items.map((item, i) => ({ rank: each(i), item: readableElement(item) }));
    frame.budget.chargeElements(ranked.length);
    frame.budget.charge(ranked.length * Math.log2(ranked.length + 1) * 100);
    const less = (a: Value, b: Value) => compare(a, b, "<") < 0;
    return sortLikeGo(ranked, (a, b) => (descending ? less(b.rank, a.rank) : less(a.rank, b.rank)))
      .map(({ item }) => item);
  },
  reduce: (_node, [, , initial]) => (frame, items, each, scope) => {
    frame.scope = scope;
    const first = initial === undefined ? items[0] : initial(frame);
    if (first === undefined) return fail("reduce of empty array with no initial value");
    scope.accumulator = readableElement(first);
    for (let i = initial === undefined ? 1 : 0; i < items.length; i++) scope.accumulator = each(i);
    return scope.accumulator;
  },
};

function lookUp(groups: GoMap, key: Value): Value | undefined {
  try {
    return groups.get(key);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return fail(error.message);
  }
}

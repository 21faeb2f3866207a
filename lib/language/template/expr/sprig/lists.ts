/** sprig's functions on lists. `mustX` and `x` fail alike here: in Go one panics and the other returns an error. */
import {
  ANY,
  ANY_SLICE,
  BOOL,
  compareText,
  GoList,
  listItems,
  NIL_LIST,
  sliceOf,
  STRING_SLICE,
  typeOf,
  type Value,
} from "@tiphys/base/go";
import { fail } from "../failure.ts";
import { deepEqual } from "../operators.ts";
import { define, type Functions } from "./define.ts";
import { isEmpty } from "./logic.ts";
import { castToInt } from "./numbers.ts";
import { stringList, textOf, textsOf } from "./text.ts";

const CHUNKS = sliceOf(ANY_SLICE);

function itemsFor(doing: string): (list: Value) => readonly Value[] {
  return (list) => {
    if (list === null) fail("runtime error: invalid memory address or nil pointer dereference");
    return listItems(list) ?? fail(`Cannot ${doing} type ${typeOf(list).kind}`);
  };
}

function failOnLength(): never {
  fail("runtime error: makeslice: len out of range");
}

function chunk(size: bigint, list: Value): GoList {
  const items = itemsFor("chunk")(list);
  const width = Number(size);
  // A negative width is not an error in itself: it may result in no chunks, or in one chunk of everything.
  const count = Math.floor((items.length - 1) / width) + 1;
  const chunks = Array.from({ length: Math.max(0, count) }, (_, i) => {
    const length = i === count - 1 ? items.length % width || width : width;
    return length < 0 ? failOnLength() : items.slice(i * width, i * width + length);
  });
  return count >= 0 ? new GoList(CHUNKS, chunks) : failOnLength();
}

function slice(list: Value, from?: Value, to?: Value): Value {
  if (list === null) fail("runtime error: invalid memory address or nil pointer dereference");
  const items = listItems(list) ?? fail(`list should be type of slice or array but ${typeOf(list).kind}`);
  if (items.length === 0) return null;
  const start = from === undefined ? 0 : Number(castToInt(from));
  const end = to === undefined ? items.length : Number(castToInt(to));
  if (start < 0 || end > items.length || start > end) fail("reflect.Value.Slice: slice index out of bounds");
  const part = items.slice(start, end);
  if (list instanceof Uint8Array) return list.subarray(start, end);
  return list instanceof GoList ? new GoList(list.type, part) : part;
}

function isInList(items: readonly Value[], value: Value): boolean {
  return items.some((item) => deepEqual(value, item));
}

function unique(items: readonly Value[]): Value[] {
  const simple = new Set<Value>();
  const kept: Value[] = [];
  for (const item of items) {
    if (item === null || typeof item !== "object") {
      if (simple.has(item) && !Number.isNaN(item)) continue;
      simple.add(item);
    } else if (isInList(kept, item)) continue;
    kept.push(item);
  }
  return kept;
}

const list = define("...any", ANY_SLICE, (...values: Value[]) => values);

/** Declares a function under its own name and, with an error as second result in Go, under `mustName`. */
function withMust(name: string, make: (fails: boolean) => Functions[string]): Functions {
  return { [name]: make(false), [`must${name.charAt(0).toUpperCase()}${name.slice(1)}`]: make(true) };
}

const push = (fails: boolean) =>
  define("any any", ANY_SLICE, (items: Value, item: Value) => [...itemsFor("push on")(items), item], { fails });

export const LISTS: Functions = {
  list,
  tuple: list,
  ...withMust("push", push),
  ...withMust("append", push),
  ...withMust(
    "prepend",
    (fails) =>
      define("any any", ANY_SLICE, (items: Value, item: Value) => [item, ...itemsFor("prepend on")(items)], { fails }),
  ),
  ...withMust(
    "first",
    (fails) => define("any", ANY, (items: Value) => itemsFor("find first on")(items)[0] ?? null, { fails }),
  ),
  ...withMust(
    "last",
    (fails) => define("any", ANY, (items: Value) => itemsFor("find last on")(items).at(-1) ?? null, { fails }),
  ),
  ...withMust("rest", (fails) =>
    define("any", ANY_SLICE, (value: Value) => {
      const items = itemsFor("find rest on")(value);
      return items.length === 0 ? NIL_LIST : items.slice(1);
    }, { fails })),
  ...withMust("initial", (fails) =>
    define("any", ANY_SLICE, (value: Value) => {
      const items = itemsFor("find initial on")(value);
      return items.length === 0 ? NIL_LIST : items.slice(0, -1);
    }, { fails })),
  ...withMust(
    "reverse",
    (fails) => define("any", ANY_SLICE, (items: Value) => itemsFor("find reverse on")(items).toReversed(), { fails }),
  ),
  ...withMust(
    "compact",
    (fails) =>
      define("any", ANY_SLICE, (items: Value) => itemsFor("compact on")(items).filter((item) => !isEmpty(item)), {
        fails,
      }),
  ),
  ...withMust(
    "uniq",
    (fails) => define("any", ANY_SLICE, (items: Value) => unique(itemsFor("find uniq on")(items)), { fails }),
  ),
  ...withMust("without", (fails) =>
    define(
      "any ...any",
      ANY_SLICE,
      (items: Value, ...omitted: Value[]) =>
        itemsFor("find without on")(items).filter((item) => !isInList(omitted, item)),
      { fails },
    )),
  ...withMust("has", (fails) =>
    define(
      "any any",
      BOOL,
      (needle: Value, haystack: Value) => haystack !== null && isInList(itemsFor("find has on")(haystack), needle),
      { fails },
    )),
  ...withMust("slice", (fails) => define("any ...any", ANY, slice, { fails })),
  ...withMust("chunk", (fails) => define("int any", CHUNKS, chunk, { fails })),
  concat: define("...any", ANY, (...lists: Value[]) => {
    const all = lists.flatMap((list) => {
      if (list === null) fail("runtime error: invalid memory address or nil pointer dereference");
      return listItems(list) ?? fail(`Cannot concat type ${typeOf(list).kind} as list`);
    });
    return all.length === 0 ? NIL_LIST : all;
  }),
  sortAlpha: define("any", STRING_SLICE, (value: Value) => {
    const sortable = listItems(value) !== undefined;
    return stringList(sortable ? textsOf(value).sort(compareText) : [textOf(value)]);
  }),
};

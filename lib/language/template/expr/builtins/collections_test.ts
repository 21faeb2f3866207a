import { expectResults } from "../testing/run.ts";

Deno.test("predicates: the first argument is a list; all and none are true for an empty list, any and one are not", () => {
  expectResults({
    "all([], false)": "true",
    "any([], true)": "false",
    "none([], true)": "true",
    "one([], true)": "false",
    "one([1, 2, 2], # == 1)": "true",
    "none([1], # > 1)": "true",
    "all('abc', true)": "!compile: builtin all takes only array (got string)",
    "map({a: 1}, #)": "!compile: builtin map takes only array (got map[string]interface {})",
    "filter(nil, true)": "!compile: builtin filter takes only array (got unknown)",
    "count([true, false, true])": "2",
    "count([1, 2], # > 1)": "1",
    "count([1])": "!run: interface conversion: interface {} is int, not bool",
  });
});

Deno.test("find: returns an element or nil, and findIndex an index, from either end", () => {
  expectResults({
    "find([1, 2, 3], # > 1)": "2",
    "findLast([1, 2, 3], # > 1)": "3",
    "findLast([1], # > 1)": "null",
    "findIndex([1, 2], # == 2)": "1",
    "findLastIndex([1], # == 2)": "null",
  });
});

Deno.test("sum: adds the results of the predicate; an empty list is 0", () => {
  expectResults({
    "sum([])": "0",
    "sum([1, 2.5])": "3.5",
    "sum([{n: 1}, {n: 2}], .n)": "3",
    "sum(['a'])": "!run: invalid operation: string + int",
  });
});

Deno.test("sortBy: orders by a key and keeps the order of equal elements", () => {
  expectResults({
    "sortBy([{n: 2, k: 'a'}, {n: 1, k: 'b'}, {n: 2, k: 'c'}], .n) | map(.k)": '["b","a","c"]',
    "sortBy([1, 3, 2], #, 'desc')": "[3,2,1]",
    "sortBy([1, 2], #, 'up')": "!run: unknown order, use asc or desc",
  });
});

Deno.test("reduce: starts with the first element or with the initial value", () => {
  expectResults({
    "reduce([1, 2, 3], #acc * #)": "6",
    "reduce([], #acc + #, 7)": "7",
    "reduce([1, 2], #acc + string(#), '')": '"12"',
  });
});

Deno.test("first, last, take and reverse: access the ends of a list", () => {
  expectResults({
    "first([1, 2])": "1",
    "last([1, 2])": "2",
    "first([])": "null",
    "last([])": "null",
    "take([1, 2, 3], 2)": "[1,2]",
    "take([1], 5)": "[1]",
    "take([1], -1)": "!run: reflect.Value.Slice: slice index out of bounds",
    "reverse([1, 2])": "[2,1]",
  });
});

Deno.test("keys, values and toPairs: list the contents of a map", () => {
  expectResults({
    "keys({a: 1})": '["a"]',
    "values({a: 1})": "[1]",
    "toPairs({a: 1})": '[["a",1]]',
    "sort(keys({b: 1, a: 2}))": '["a","b"]',
    "keys([1])": "!compile: cannot get keys from []interface {}",
  });
});

Deno.test("uniq, flatten and concat: build lists from lists", () => {
  expectResults({
    "uniq([1, 1.0, 'a', 'a'])": '[1,"a"]',
    "flatten([1, [2, [3]]])": "[1,2,3]",
    "concat([1], [], ['a'])": '[1,"a"]',
    "concat([1], 2)": "!compile: cannot concat int",
  });
});

Deno.test("len: counts characters, elements and keys", () => {
  expectResults({
    "len('héy')": "3",
    "len([1, 2])": "2",
    "len({a: 1})": "1",
    "len(1)": "!compile: invalid argument for len (type int)",
  });
});

Deno.test("get: reads elements of lists, maps and texts", () => {
  expectResults({
    "get({a: 1}, 'a')": "1",
    "get({a: 1}, 'b')": "null",
    "get([1, 2], -1)": "2",
    "get(nil, 'a')": "!compile: type unknown does not support indexing",
  });
});

Deno.test("type: a pointer to a library's value has the type of that value", () => {
  expectResults({
    "type(timezone('UTC'))": '"time.Location"',
    "type(sprig.semver('1.2.3'))": '"github.com/Masterminds/semver/v3.Version"',
  });
});

import { expectAnswers } from "../testing/run.ts";

Deno.test("the first argument of a predicate function is a list, and an empty one is all, none but not any or one", () => {
  expectAnswers({
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

Deno.test("finders give an element or nil, and places from either end", () => {
  expectAnswers({
    "find([1, 2, 3], # > 1)": "2",
    "findLast([1, 2, 3], # > 1)": "3",
    "findLast([1], # > 1)": "null",
    "findIndex([1, 2], # == 2)": "1",
    "findLastIndex([1], # == 2)": "null",
  });
});

Deno.test("sum adds what the predicate gives, nothing being 0", () => {
  expectAnswers({
    "sum([])": "0",
    "sum([1, 2.5])": "3.5",
    "sum([{n: 1}, {n: 2}], .n)": "3",
    "sum(['a'])": "!run: invalid operation: string + int",
  });
});

Deno.test("sortBy orders by a key and keeps equal elements in place", () => {
  expectAnswers({
    "sortBy([{n: 2, k: 'a'}, {n: 1, k: 'b'}, {n: 2, k: 'c'}], .n) | map(.k)": '["b","a","c"]',
    "sortBy([1, 3, 2], #, 'desc')": "[3,2,1]",
    "sortBy([1, 2], #, 'up')": "!run: unknown order, use asc or desc",
  });
});

Deno.test("reduce begins with the first element or with what it is given", () => {
  expectAnswers({
    "reduce([1, 2, 3], #acc * #)": "6",
    "reduce([], #acc + #, 7)": "7",
    "reduce([1, 2], #acc + string(#), '')": '"12"',
  });
});

Deno.test("first, last, take and reverse look at a list's ends", () => {
  expectAnswers({
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

Deno.test("keys, values and toPairs list what a map holds", () => {
  expectAnswers({
    "keys({a: 1})": '["a"]',
    "values({a: 1})": "[1]",
    "toPairs({a: 1})": '[["a",1]]',
    "sort(keys({b: 1, a: 2}))": '["a","b"]',
    "keys([1])": "!compile: cannot get keys from []interface {}",
  });
});

Deno.test("uniq, flatten and concat make lists of lists", () => {
  expectAnswers({
    "uniq([1, 1.0, 'a', 'a'])": '[1,"a"]',
    "flatten([1, [2, [3]]])": "[1,2,3]",
    "concat([1], [], ['a'])": '[1,"a"]',
    "concat([1], 2)": "!compile: cannot concat int",
  });
});

Deno.test("len counts characters, elements and keys", () => {
  expectAnswers({
    "len('héy')": "3",
    "len([1, 2])": "2",
    "len({a: 1})": "1",
    "len(1)": "!compile: invalid argument for len (type int)",
  });
});

Deno.test("get reaches into lists, maps and texts", () => {
  expectAnswers({
    "get({a: 1}, 'a')": "1",
    "get({a: 1}, 'b')": "null",
    "get([1, 2], -1)": "2",
    "get(nil, 'a')": "!compile: type unknown does not support indexing",
  });
});

Deno.test("a pointer to a library's value has that value's type", () => {
  expectAnswers({
    "type(timezone('UTC'))": '"time.Location"',
    "type(sprig.semver('1.2.3'))": '"github.com/Masterminds/semver/v3.Version"',
  });
});

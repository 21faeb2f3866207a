import { expectResults } from "./testing/run.ts";

const list = { list: [1, "a"] };

Deno.test("simplify: two searches of the same kind over one list are merged, and may end before the second would fail", () => {
  expectResults({
    "all(list, # in [1, 'a'] and # == 1) and all(list, # != 'a')": "false",
    "all(list, # != 1) and all(list, # > 1)": "false",
    "any(list, # == 1) || any(list, # > 5)": "true",
    "none(list, # == 1) and none(list, # > 5)": "false",
    "any(list, # == 9) || any([1], # > 5)": "false",
    "all(list, # == # ) and all(list, # < 1)": "false",
  }, list);
  expectResults({ "all([2, true], # > 1) and all([true, 2], # < 1)": "!run: invalid operation: bool > int" });
});

Deno.test("simplify: a filter of a filter evaluates both predicates per element, and none of the first if the second is false", () => {
  expectResults({
    "filter(filter([1, 'a'], # + 1 > 0), false)": "[]",
    "filter(filter([1, 2, 'a'], # == 1 or # + 1 > 0), # == 1)[0]": "1",
    "filter(filter(1..9, # > 3), # % 2 == 0)": "[4,6,8]",
  });
});

Deno.test("simplify: a count that is compared stops when the result is known", () => {
  expectResults({
    "count([1, 2, 'a'], # > 0) > 1": "true",
    "count([1, 'a'], # > 0) > 0": "true",
    "count([1, 'a'], # > 0) >= 1": "true",
    "count([1, 'a'], # > 0) < 2": "!run: invalid operation: string > int",
  });
});

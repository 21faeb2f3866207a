import { assertEquals } from "@std/assert";
import { expectResults, typeOfAnswer } from "../testing/run.ts";

Deno.test("builtins: int() truncates numbers and parses only decimal digits", () => {
  expectResults({ "int(-1.9)": "-1", "int('007')": "7", "int('1e3')": "!run: invalid operation: int(1e3)" });
});

Deno.test("builtins: ceil, floor and round return floats, halves rounded away from zero", () => {
  expectResults({ "round(-1.5)": "-2", "round(0.49999999999999994)": "0", "ceil(1.2)": "2" });
  assertEquals(typeOfAnswer("floor(3)"), "float64");
});

Deno.test("builtins: split with a count of 0 returns an empty list", () => {
  expectResults({ "split('a,b', ',', 0)": "null", "split('a,b,c', ',', 2)": '["a","b,c"]' });
});

Deno.test("builtins: max and min include elements of lists", () => {
  expectResults({ "max(1, [5, [7]])": "7", "min([4, 2.5])": "2.5", "max([])": "null" });
});

Deno.test("builtins: findIndex returns nil if nothing is found", () => {
  expectResults({ "findIndex([1], # > 1)": "null", "findLastIndex([3, 3], # == 3)": "1" });
});

Deno.test("builtins: groupBy and fromPairs return maps that JSON cannot represent", () => {
  expectResults({ "groupBy([1, 2, 3], # % 2)[1]": "[1,3]", "fromPairs([['a', 1]])": "map[a:1]" });
});

Deno.test("builtins: sort needs comparable elements and a known order", () => {
  expectResults({
    "sort([3, 1.5, 2])": "[1.5,2,3]",
    "sort(['b', 'a'], 'desc')": '["b","a"]',
    "sort([1, 'a'])": "!run: invalid operation: string < int",
    "sort([1], 'x')": "!run: invalid order x, expected asc or desc",
  });
});

Deno.test("builtins: concat of empty lists is null", () => {
  expectResults({ "concat([], [])": "null", "concat([1], [2])": "[1,2]" });
});

Deno.test("builtins: toJSON writes several lines, toJson one", () => {
  expectResults({ "toJSON({a: 1})": '"{\\n  \\"a\\": 1\\n}"', "toJson({a: 1})": '"{\\"a\\":1}"' });
});

Deno.test("builtins: date() tries the common layouts and accepts Go's", () => {
  expectResults({
    "date('2024-03-10 02:03:04')": '"2024-03-10T02:03:04Z"',
    "date('10.03.2024', '02.01.2006')": '"2024-03-10T00:00:00Z"',
    "date('2024-03-10 12:00', '2006-01-02 15:04', 'Europe/Berlin')": '"2024-03-10T12:00:00+01:00"',
    "date('soon')": "!run: invalid date soon",
  });
});

Deno.test("builtins: bit shifts are limited to 64 bits", () => {
  expectResults({ "bitshl(1, 64)": "0", "bitushr(-1, 60)": "15", "bitnand(6, 3)": "4", "bitnot(5)": "-6" });
});

Deno.test("builtins: get returns nil for a missing key and fails for a key of the wrong type", () => {
  expectResults({ "get(v.a, 9)": "null", "get(v.a, 'x')": "!run: invalid operation: int(string)" }, { v: { a: [1] } });
});

Deno.test("builtins: arguments are counted and type-checked at compile time", () => {
  expectResults({
    "len()": "!compile: invalid number of arguments (expected 1, got 0)",
    "upper(1)": "!compile: cannot use int as argument (type string) to call upper ",
    "trim('a', 'b', 'c')": "!compile: too many arguments to call trim",
  });
});

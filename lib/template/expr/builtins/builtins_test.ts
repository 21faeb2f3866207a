import { assertEquals } from "@std/assert";
import { expectAnswers, typeOfAnswer } from "../testing/run.ts";

Deno.test("int() cuts numbers and reads decimal digits only", () => {
  expectAnswers({ "int(-1.9)": "-1", "int('007')": "7", "int('1e3')": "!run: invalid operation: int(1e3)" });
});

Deno.test("ceil, floor and round give floats, half going away from zero", () => {
  expectAnswers({ "round(-1.5)": "-2", "round(0.49999999999999994)": "0", "ceil(1.2)": "2" });
  assertEquals(typeOfAnswer("floor(3)"), "float64");
});

Deno.test("split gives nothing for a count of none", () => {
  expectAnswers({ "split('a,b', ',', 0)": "null", "split('a,b,c', ',', 2)": '["a","b,c"]' });
});

Deno.test("max and min look into lists", () => {
  expectAnswers({ "max(1, [5, [7]])": "7", "min([4, 2.5])": "2.5", "max([])": "null" });
});

Deno.test("findIndex is nil where nothing is found", () => {
  expectAnswers({ "findIndex([1], # > 1)": "null", "findLastIndex([3, 3], # == 3)": "1" });
});

Deno.test("groupBy and fromPairs make maps JSON cannot hold", () => {
  expectAnswers({ "groupBy([1, 2, 3], # % 2)[1]": "[1,3]", "fromPairs([['a', 1]])": "map[a:1]" });
});

Deno.test("sort wants comparable elements and an order it knows", () => {
  expectAnswers({
    "sort([3, 1.5, 2])": "[1.5,2,3]",
    "sort(['b', 'a'], 'desc')": '["b","a"]',
    "sort([1, 'a'])": "!run: invalid operation: string < int",
    "sort([1], 'x')": "!run: invalid order x, expected asc or desc",
  });
});

Deno.test("concat of nothing but empty lists is null", () => {
  expectAnswers({ "concat([], [])": "null", "concat([1], [2])": "[1,2]" });
});

Deno.test("toJSON breaks lines, toJson does not", () => {
  expectAnswers({ "toJSON({a: 1})": '"{\\n  \\"a\\": 1\\n}"', "toJson({a: 1})": '"{\\"a\\":1}"' });
});

Deno.test("date() tries the usual layouts and takes Go's own", () => {
  expectAnswers({
    "date('2024-03-10 02:03:04')": '"2024-03-10T02:03:04Z"',
    "date('10.03.2024', '02.01.2006')": '"2024-03-10T00:00:00Z"',
    "date('2024-03-10 12:00', '2006-01-02 15:04', 'Europe/Berlin')": '"2024-03-10T12:00:00+01:00"',
    "date('soon')": "!run: invalid date soon",
  });
});

Deno.test("bits are shifted within 64", () => {
  expectAnswers({ "bitshl(1, 64)": "0", "bitushr(-1, 60)": "15", "bitnand(6, 3)": "4", "bitnot(5)": "-6" });
});

Deno.test("get answers nil for what is missing and fails for a key of the wrong kind", () => {
  expectAnswers({ "get(v.a, 9)": "null", "get(v.a, 'x')": "!run: invalid operation: int(string)" }, { v: { a: [1] } });
});

Deno.test("arguments are counted and typed before running", () => {
  expectAnswers({
    "len()": "!compile: invalid number of arguments (expected 1, got 0)",
    "upper(1)": "!compile: cannot use int as argument (type string) to call upper ",
    "trim('a', 'b', 'c')": "!compile: too many arguments to call trim",
  });
});

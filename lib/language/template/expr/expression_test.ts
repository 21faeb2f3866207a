import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { compileExpression, compileFor, ExpressionError } from "./mod.ts";
import { env, expectResults, typeOfAnswer } from "./testing/run.ts";

const ENV = {
  v: { i: 3, f: { $float: "1.5" }, s: "abc", n: null, a: [1, 2, 3], m: { a: 1, b: { c: "d" } }, b: true },
};

Deno.test("evaluate: integers have 64 bits and wrap around", () => {
  expectResults({
    "9223372036854775807 + 1": "-9223372036854775808",
    "-7 % 3": "-1",
    "7 / 2": "3.5",
    "2 ** 3": "8",
    "-2 ** 2": "-4",
    "1 % 0": "!compile: integer divide by zero",
    "v.i % 0": "!run: runtime error: integer divide by zero",
    "9223372036854775808":
      '!compile: invalid integer literal: strconv.ParseInt: parsing "9223372036854775808": value out of range',
  }, ENV);
  assertEquals([typeOfAnswer("7 / 7"), typeOfAnswer("7 * 7"), typeOfAnswer("7 * 7.0")], ["float64", "int", "float64"]);
});

Deno.test("evaluate: texts and numbers are not converted implicitly", () => {
  expectResults({
    "'1' + 1": "!compile: invalid operation: + (mismatched types string and int)",
    "v.s + 1": "!run: invalid operation: string + int",
    "'1' == 1": "!compile: invalid operation: == (mismatched types string and int)",
    "v.s == 1": "false",
    "int('1') + 1": "2",
    "string(1) + '1'": '"11"',
  }, ENV);
});

Deno.test("evaluate: numbers are equal by value, but not inside maps", () => {
  expectResults({ "1 == 1.0": "true", "[1] == [1.0]": "true", "{a:1} == {a:1.0}": "false", "nil == v.n": "true" }, ENV);
});

Deno.test("evaluate: nil from a search or branch fails in a comparison of two integers or two texts", () => {
  expectResults({
    "findIndex([1], # > 1) == 1": "!run: interface conversion: interface {} is nil, not int",
    "findIndex([1], # > 1) != 0": "!run: interface conversion: interface {} is nil, not int",
    "findIndex([1], # > 1) == nil": "true",
    "(v.b ? nil : 'a') == 'a'": "!run: interface conversion: interface {} is nil, not string",
    "(v.b ? nil : 1.5) == 1.5": "false",
  }, ENV);
});

Deno.test("evaluate: a comparison of literals decides the logic around it at compile time", () => {
  expectResults({
    "v.s and 1 == 2": "false",
    "v.s or 'a' == 'a'": "true",
    "v.s and 1 == 1.5": "!run: interface conversion: interface {} is string, not bool",
    "v.s and 1 != 1": "!run: interface conversion: interface {} is string, not bool",
  }, ENV);
});

Deno.test("evaluate: comparisons can be chained", () => {
  expectResults({ "1 < v.i < 4": "true", "1 < v.i < 2": "false", "1 < 2 == true": "true" }, ENV);
});

Deno.test("evaluate: `not` binds to the next operand", () => {
  expectResults({ "2 not in [1]": "true", "not (2 in [1])": "true", "not true == false": "true" });
});

Deno.test("evaluate: `and` and `or` short-circuit, and a constant side is removed", () => {
  expectResults({
    "true || v.s": "true",
    "false and v.s": "false",
    "v.s && true": '"abc"',
    "v.s && v.b": "!run: interface conversion: interface {} is string, not bool",
  }, ENV);
});

Deno.test("evaluate: ?? replaces only nil, and cannot be mixed with other operators", () => {
  expectResults({
    "v.n ?? 'd'": '"d"',
    "'' ?? 'd'": '""',
    "v.nope ?? v.n ?? 1": "1",
    "v.n ?? 1 + 1": "!compile: Operator (+) and coalesce expressions (??) cannot be mixed. Wrap either by parentheses.",
    "1 + v.n ?? 1": "2",
  }, ENV);
});

Deno.test("evaluate: a chain is nil from the ?. at a nil value to its end", () => {
  expectResults({
    "v.n?.x.y.z": "null",
    "v.n?.[0]": "null",
    "(v.n?.x).y": "null",
    "v.n.x": "!run: cannot fetch x from <nil>",
    "v.m?.b.c": '"d"',
    "v.n?.x ?? 'd'": '"d"',
  }, ENV);
});

Deno.test("evaluate: a missing key is nil, a missing element fails, slices are clamped", () => {
  expectResults({
    "v.m.nope": "null",
    "v.a[9]": "!run: index out of range: 9 (array length is 3)",
    "v.a[-1]": "3",
    "v.a[1:9]": "[2,3]",
    "v.s[-2:]": '"bc"',
    "v.s[0]": "97",
    "v.a['0']": "!run: invalid operation: int(string)",
    "v.m[1]": "!run: reflect.Value.MapIndex: value of type int is not assignable to type string",
  }, ENV);
});

Deno.test("evaluate: `in` searches lists by value and maps by key, and nil contains nothing", () => {
  expectResults({
    "2.0 in v.a": "true",
    "'a' in v.m": "true",
    "1 in v.n": "false",
    "'a' in v.s": '!run: operator "in" not defined on string',
    "v.i in ['a']": "!run: reflect.Value.MapIndex: value of type int is not assignable to type string",
  }, ENV);
});

Deno.test("evaluate: `matches` uses RE2 without anchors", () => {
  expectResults({
    "'abc' matches 'b'": "true",
    "'ABC' matches '(?i)^abc$'": "true",
    "v.n matches 'b'": "false",
    "'a' matches '['": "!compile: error parsing regexp: missing closing ]: `[`",
    "'a' matches '(?=a)'": "!compile: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
  }, ENV);
});

Deno.test("evaluate: a predicate has the element as #, its fields after a dot, its index as #index", () => {
  expectResults({
    "map(v.a, # * #index)": "[0,2,6]",
    "filter([{n: 1}, {n: 2}], .n > 1)": '[{"n":2}]',
    "reduce(v.a, #acc + #)": "6",
    "reduce([], #acc + #)": "!run: reduce of empty array with no initial value",
    "map(v.a, {let d = # * 2; d + 1})": "[3,5,7]",
    "map([[1], [2, 3]], map(#, # + 1))": "[[2],[3,4]]",
    "filter(v.a, #index > 1)": "!compile: unknown pointer #index",
    "filter(v.a, #)": "!run: interface conversion: interface {} is int, not bool",
    "filter('abc', true)": "!compile: builtin filter takes only array (got string)",
  }, ENV);
});

Deno.test("evaluate: a search stops at the first match", () => {
  expectResults({
    "count([1, 2, 'x'], # > 0) > 0": "true",
    "filter([1, 'x'], # > 0)[0]": "1",
    "find([1, 2], # > 5)": "null",
    "filter([1, 2], # > 5)[0]": "!run: reflect: slice index out of range",
  });
});

Deno.test("evaluate: let names a value once and cannot shadow a name", () => {
  expectResults({
    "let x = 1; let y = x + 1; x + y": "3",
    "let len = 1; len": "!compile: cannot redeclare builtin len",
    "let v = 1; v": "!compile: cannot redeclare v",
    "let x = 1; let x = 2; x": "!compile: cannot redeclare variable x",
  }, ENV);
});

Deno.test("evaluate: a map literal keeps the first of equal keys, which must be texts", () => {
  expectResults({
    "{a: 1, a: 2}": '{"a":1}',
    "{'x' + 'y': 1}": '!compile: unexpected token Operator("+")',
    "{('x' + 'y'): 1}": '{"xy":1}',
    "{(1): 1}": "!run: interface conversion: interface {} is int, not string",
  });
});

Deno.test("evaluate: times and durations have Go's arithmetic and methods", () => {
  expectResults({
    "date('2024-03-10') + duration('36h')": '"2024-03-11T12:00:00Z"',
    "(date('2024-03-11') - date('2024-03-10')).Hours()": "24",
    "date('2024-03-10').Weekday()": "0",
    "string(date('2024-03-10').Month())": '"March"',
    "duration('90m') * 2": "10800000000000",
    "date('2024-03-10').In(timezone('Asia/Tokyo')).Hour()": "9",
    "date('2024-03-10').nope": "!compile: type time.Time has no field nope",
  });
});

Deno.test("evaluate: an environment hides builtins of the same name, and :: refers to them", () => {
  expectResults({ "split": '"x"', "::split('a b', ' ')": '["a","b"]' }, { split: "x" });
});

Deno.test("compile: rejects more than 10,000 nodes and more than 400 levels", () => {
  const wide = `[${Array.from({ length: 10_001 }, () => "1").join(",")}]`;
  assertThrows(() => compileExpression(wide), ExpressionError, "exceeds maximum allowed nodes");
  assertThrows(() => compileExpression("(".repeat(500) + "1" + ")".repeat(500)), ExpressionError, "nested deeper");
  const long = Array.from({ length: 4_000 }, () => "1").join(" + ");
  assertEquals(compileExpression(long).run({}), 4_000n);
  const unknown = Array.from({ length: 4_000 }, () => "x").join(" + ");
  assertEquals(compileExpression(unknown).run({ x: 1n }), 4_000n);
});

Deno.test("evaluate: a run creates at most a million elements and predicate calls", () => {
  expectResults({
    "len(1..2000000)": "!run: memory budget exceeded",
    "repeat('a', 1000001)": "!run: memory budget exceeded",
    "let r = 1..4000; any(r, any(r, # < 0))": "!run: loop budget exceeded: the work of one run may take 1.5s",
    "5 in 1..2000000": "true",
    "sum(1..2000000)": "2000001000000",
  });
});

Deno.test("evaluate: a pattern with catastrophic backtracking in other engines takes linear time", () => {
  const text = "a".repeat(5_000) + "!";
  assertEquals(compileExpression("x matches '^(a+)+$'").run({ x: text }), false);
});

Deno.test("evaluate: an expression is compiled once for environments of the same shape", () => {
  const first = compileFor("a + 1", { a: 1n });
  assertStrictEquals(compileFor("a + 1", { a: 2n }), first);
  assertEquals(compileFor("a + 1", { a: 1 }).run({ a: 1.5 }), 2.5);
});

Deno.test("evaluate: a run does not modify its environment", () => {
  const given = env({ m: { a: 1 } });
  const before = JSON.stringify(Object.keys(given.m as object));
  compileFor("sprig.set(m, 'b', 2)", given).run(given);
  assertEquals(JSON.stringify(Object.keys(given.m as object)), before);
});

Deno.test("evaluate: in the arguments of an unknown function, the argument count of a builtin is checked at run time", () => {
  expectResults({
    "sprig.toString(upper())": "!run: stack underflow",
    "sprig.toString(upper(1, 'a'))": '"A"',
    "sprig.toString(float('a', 'b'))": "!run: invalid operation: float(b)",
    "sprig.toString(bitand(1))": "!run: invalid number of arguments for bitand (expected 2, got 1)",
    "sprig.toString(keys({}, 1))": "!run: invalid number of arguments (expected 1, got 2)",
    "sprig.toString(first([1], 2))": '"1"',
    "sprig.toString(mean())": '"0"',
  });
});

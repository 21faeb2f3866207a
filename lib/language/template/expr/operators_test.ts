import { expectResults } from "./testing/run.ts";

const ENV = { v: { i: 3, s: "abc", n: null } };

Deno.test("operators: have the documented precedence", () => {
  expectResults({
    "1 + 2 * 3": "7",
    "2 ** 3 ** 2": "512",
    "-2 ** 2": "-4",
    "not true == false": "true",
    "1..2 + 1": "[1,2,3]",
    "1 + 1..4": "[2,3,4]",
    "1 < 2 and 2 < 3 or false": "true",
    "true ? 1 : 2 | string()": "1",
    "8 % 3 * 2": "4",
    "2 * 3 % 4": "2",
  });
});

Deno.test("plus: concatenates texts and adds durations, also to times", () => {
  expectResults({
    "'a' + 'b'": '"ab"',
    "string(duration('1h') + duration('1m'))": '"1h1m0s"',
    "(date('2024-01-01') + duration('1h')).Hour()": "1",
    "[1] + [2]": "!compile: invalid operation: + (mismatched types []interface {} and []interface {})",
    "nil + 1": "!compile: invalid operation: + (mismatched types unknown and int)",
  });
});

Deno.test("division: always returns a float; the remainder needs integers", () => {
  expectResults({
    "6 / 3": "2",
    "type(6 / 3)": '"float"',
    "string(1 / 0)": '"+Inf"',
    "6 % 4.0": "!compile: invalid operation: % (mismatched types int and float64)",
    "2 ** -1": "0.5",
  });
});

Deno.test("equality: compares numbers by value, lists by element, times by instant, and never fails on unknown types", () => {
  expectResults({
    "1 == 1.0": "true",
    "[1, 2] == [1, 2.0]": "true",
    "v.s == 1": "false",
    "date('2024-01-01T01:00:00+01:00') == date('2024-01-01')": "true",
    "nil == nil": "true",
    "v.n != nil": "false",
  }, ENV);
});

Deno.test("order: is defined for two numbers, texts, times or durations", () => {
  expectResults({
    "'B' < 'a'": "true",
    "2 < 10": "true",
    "duration('1s') < duration('1m')": "true",
    "date('2024-01-01') < date('2024-01-02')": "true",
    "'a' < 1": "!compile: invalid operation: < (mismatched types string and int)",
    "v.s < 1": "!run: invalid operation: string < int",
    "nil < 1": "!compile: invalid operation: < (mismatched types unknown and int)",
  }, ENV);
});

Deno.test("contains, startsWith, endsWith and matches: are false for nil, and fail for other types than string", () => {
  expectResults({
    "'abc' contains 'b'": "true",
    "'abc' startsWith 'b'": "false",
    "'abc' endsWith 'c'": "true",
    "v.n contains 'a'": "false",
    "v.n startsWith 'a'": "false",
    "'a' endsWith v.n": "false",
    "v.i contains 'a'": "!run: interface conversion: interface {} is int, not string",
    "'abc' not contains 'x'": "true",
    "v.i matches 'a'": "!run: interface conversion: interface {} is int, not string",
  }, ENV);
});

Deno.test("range: counts up by one, and is empty if the end is less than the start", () => {
  expectResults({
    "1..3": "[1,2,3]",
    "3..1": "[]",
    "len(1..1)": "1",
    "1.5..2": "!compile: invalid operation: .. (mismatched types float64 and int)",
  });
});

Deno.test("logic: needs booleans; nil is not a boolean", () => {
  expectResults({
    "not v.n": "!run: interface conversion: interface {} is nil, not bool",
    "v.n and v.i == 3": "!run: interface conversion: interface {} is nil, not bool",
    "!v.s": "!run: interface conversion: interface {} is string, not bool",
    "v.n ? 1 : 2": "!run: interface conversion: interface {} is nil, not bool",
    "v.i == 4 and v.n": "false",
    "v.i == 3 or v.n": "true",
  }, ENV);
});

Deno.test("equality: bytes equal a list of the same numbers", () => {
  expectResults({ 'b"hi" == l': "true", 'l == b"hi"': "true", 'b"" == e': "true", 'b"hi" == e': "false" }, {
    l: [104, 105],
    e: [],
  });
});

Deno.test("in: a time and a zone have no exported fields", () => {
  expectResults({
    "x in timezone('UTC')": "false",
    "v.n in timezone('UTC')": "!run: cannot use int as field name of time.Location",
  }, { x: "a", v: { n: 1 } });
});

Deno.test("filter: keeps NaN, although it equals nothing", () => {
  expectResults({ "len(filter([1, 0/0], # != nil))": "2", "len(filter([0/0], # == #))": "0" });
});

Deno.test("map: NaN is a new key each time and is never found", () => {
  expectResults({ "len(groupBy([0/0, 1, 0/0], #))": "3", "fromPairs([[0/0, 1]])[0/0]": "null" });
});

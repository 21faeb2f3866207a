import { assertEquals, assertThrows } from "@std/assert";
import { ANY_MAP } from "@tiphys/base/go";
import { compileExpression, ExpressionError } from "./mod.ts";
import { expectResults } from "./testing/run.ts";

Deno.test("parser: numbers may have underscores, points, exponents and bases", () => {
  expectResults({
    "1_000": "1000",
    "0x1F + 0b11 + 0o7": "41",
    ".5 + 1.": "1.5",
    "1e3": "1000",
    "017": "17",
    "0b2": '!compile: bad number syntax: "0b2"',
    "1..3": "[1,2,3]",
  });
});

Deno.test("parser: strings support Go's escapes and end on their line", () => {
  expectResults({
    '"\\x41\\u00e9\\u{1F600}\\101"': '"Aé😀A"',
    "'it\\'s'": '"it\'s"',
    "`raw \\n`": '"raw \\\\n"',
    "`back``tick`": '"back`tick"',
    'b"\\xff"': '"/w=="',
    '"\\d"': "!compile: invalid char escape",
    '"\\ud83d\\ude00"': '"\ufffd\ufffd"',
    '"open': "!compile: literal not terminated",
    '"a\nb"': "!compile: literal not terminated",
  });
});

Deno.test("parser: comments are // and /* */, so 5 // 2 is 5", () => {
  expectResults({ "5 // 2": "5", "1 /* x */ + 1": "2", "1 /* x": "!compile: unclosed comment" });
});

Deno.test("parser: lists, maps and arguments may end in a comma", () => {
  expectResults({
    "[1, 2,]": "[1,2]",
    "{a: 1,}": '{"a":1}',
    "len('a',)": "1",
    "[1,,2]": '!compile: unexpected token Operator(",")',
  });
});

Deno.test("parser: the pipe makes its left side the first argument and accepts a bare name", () => {
  expectResults({
    "'a,b' | split(',') | len()": "2",
    "'x' | sprig.upper()": '!compile: unexpected token Operator(".")',
    "1 | true": "!compile: unexpected token EOF",
  });
});

Deno.test("parser: if and else are expressions, and the second ? belongs to the first", () => {
  expectResults({
    "if 1 < 2 {'a'} else {'b'}": '"a"',
    "if false {1} else if false {2} else {3}": "3",
    "true ? 1 : false ? 2 : 3": "1",
    "nil ?: 1": "!compile: non-bool expression (type unknown) used as condition",
    "if true {1}": "!compile: unexpected token EOF",
  });
});

Deno.test("parser: keywords and literals may follow a dot", () => {
  expectResults({ "v.in": "null", "v.true": "null", "v.not": "null" }, { v: {} });
});

Deno.test("parser: calls are allowed only after names", () => {
  expectResults({ "sprig['upper']('a')": '!compile: unexpected token Bracket("(")' });
});

Deno.test("parser: an error shows a caret, the unexpected and the expected token", () => {
  const error = assertThrows(() => compileExpression("1 +\n  [1, 2"), ExpressionError);
  assertEquals(error.message, 'unexpected token EOF (2:7)\n |   [1, 2\n | ......^\n expected ","');
  assertEquals(error.position, { offset: 10, line: 2, column: 7 });
  assertEquals(error.phase, "compile");
});

Deno.test("parser: an unknown name suggests the nearest known name", () => {
  const types = new Map([["workflow", ANY_MAP]]);
  const error = assertThrows(() => compileExpression("workfow.name", { types }), ExpressionError);
  assertEquals(error.hint, "did you mean workflow?");
  assertEquals(error.message.split("\n")[0], "unknown name workfow (1:1)");
});

Deno.test("parser: a hyphen in a name is reported as a likely mistake", () => {
  const types = new Map([["inputs", ANY_MAP]]);
  const error = assertThrows(() => compileExpression("inputs.parameters.my-param", { types }), ExpressionError);
  assertEquals(error.reason, "unknown name param");
  assertEquals(error.hint, 'a hyphen subtracts: for a name that has one write inputs.parameters["my-param"]');
});

Deno.test("parser: columns count characters, not code units", () => {
  const error = assertThrows(() => compileExpression("'😀' + ~"), ExpressionError);
  assertEquals(error.position?.column, 7);
});

Deno.test("parser: a carriage return in a text is a line feed, because Go normalizes line ends", () => {
  assertEquals(compileExpression("'a\rb'").run({}), "a\nb");
  assertEquals(compileExpression("`a\rb`").run({}), "a\rb");
});

Deno.test("parser: letters directly after a hash name a pointer, even if they spell an operator", () => {
  const error = assertThrows(() => compileExpression("filter(['a'], #startsWith 'a')"), ExpressionError);
  assertEquals(error.position?.column, 27);
  assertEquals(compileExpression("filter(['a'], # startsWith 'a')").run({}), ["a"]);
});

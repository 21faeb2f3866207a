import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { evaluate, ExpressionError, references, render, TemplateError } from "./mod.ts";

Deno.test("evaluate() accepts names with dots and nested objects", () => {
  assertEquals(evaluate("a.b + a.c", { "a.b": "x", a: { c: "y" } }), "xy");
  assertEquals(evaluate("a.b", new Map([["a.b", "x"]])), "x");
});

Deno.test("evaluate() keeps integers and floats apart", () => {
  assertEquals(evaluate("n % 2", { n: 3n }), 1n);
  assertEquals(evaluate("n / 2", { n: 3n }), 1.5);
  assertThrows(() => evaluate("n % 2", { n: 3.5 }), ExpressionError, "invalid operation: % (mismatched types");
});

Deno.test("evaluate() fails with an error that shows the place, the unexpected token and the accepted ones", () => {
  assertEquals(
    assertThrows(() => evaluate("upper(nme) + '!'", { name: "x" }), ExpressionError).message.split("\n"),
    ["unknown name nme (1:7)", " | upper(nme) + '!'", " | ......^", " did you mean name?"],
  );
});

Deno.test("render() fails on an unknown name, or keeps its tag", () => {
  assertThrows(() => render("{{a}} {{b}}", { a: "x" }), TemplateError, "failed to resolve {{b}}");
  assertEquals(render("{{a}} {{b}}", { a: "x" }, { unknown: "keep" }), "x {{b}}");
});

Deno.test("render() never fills in an absent value; only an expression can provide a replacement", () => {
  assertThrows(() => render("{{a}}", { a: null }, { unknown: "keep" }), TemplateError, "absent optional");
  assertEquals(render("{{=a ?? 'none'}}", { a: null }), "none");
});

Deno.test("render() returns a template without tags itself", () => {
  const template = { a: ["b"] };
  assertStrictEquals(render(template, { b: "x" }), template);
});

Deno.test("references() returns the position of each name", () => {
  assertEquals(references({ a: ["x", "text\n {{ b }}{{=c.d ?? e['f-g']}}"] }), [
    { name: "b", kind: "simple", optional: false, path: ["a", 1], position: { offset: 9, line: 2, column: 5 } },
    { name: "c.d", kind: "expression", optional: true, path: ["a", 1], position: { offset: 18, line: 2, column: 14 } },
    {
      name: "e.f-g",
      kind: "expression",
      optional: false,
      path: ["a", 1],
      position: { offset: 24, line: 2, column: 20 },
    },
  ]);
});

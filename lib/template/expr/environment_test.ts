import { assertEquals, assertThrows } from "@std/assert";
import { environment, evaluateBoolean, ExpressionError, findReferences, unfold } from "./mod.ts";
import { env, expectAnswers } from "./testing/run.ts";

Deno.test("dotted names unfold at every dot, labels included", () => {
  const flat = { "workflow.labels.app.kubernetes.io/name": "x", "inputs.parameters.my-p": "v", item: "i" };
  expectAnswers({
    'workflow.labels.app.kubernetes["io/name"]': '"x"',
    'inputs.parameters["my-p"]': '"v"',
    item: '"i"',
  }, flat);
});

Deno.test("a parent gives way to its children", () => {
  assertEquals(
    unfold(new Map([["a", "x"], ["a.b", "y"]])),
    Object.assign(Object.create(null), {
      a: Object.assign(Object.create(null), { b: "y" }),
    }),
  );
  expectAnswers({ "a.b": '"y"', "toJson(a)": '"{\\"b\\":\\"y\\"}"' }, { a: "x", "a-b": "z", "a.b": "y" });
});

Deno.test("nil stays nil and is not absent", () => {
  expectAnswers({ "a.b == nil": "true", "'b' in a": "true", "'c' in a": "false" }, { "a.b": null });
});

Deno.test("names such as __proto__ and constructor are names like any other", () => {
  const flat = { "a.__proto__.x": "y", "constructor.name": "z" };
  expectAnswers({
    "a.__proto__.x": '"y"',
    "constructor.name": '"z"',
    "a.toString": "null",
    "toString": "!compile: unknown name toString",
  }, flat);
});

Deno.test("Argo's functions join the builtins", () => {
  expectAnswers({
    "asInt('5') + 1": "6",
    "asInt('x')": "!run: invalid operation: int(x)",
    "asFloat('2.50')": "2.5",
    "toJson({b: 1, a: nil})": '"{\\"a\\":null,\\"b\\":1}"',
    "jsonpath('{\"a\":[1,2]}', '$.a[1]')": "2",
    "sprig.env('HOME')": "!run: invalid operation: cannot call nil",
    "type(sprig)": '"map"',
  });
  const plain = unfold(new Map([["response.statusCode", 200n]]));
  assertThrows(() => evaluateBoolean("asInt('1') == 1", plain), ExpressionError, "unknown name asInt");
});

Deno.test("a condition must give a boolean", () => {
  const given = env({ "lastRetry.exitCode": "137" });
  assertEquals(evaluateBoolean("asInt(lastRetry.exitCode) in [137, 143]", given), true);
  assertThrows(
    () => evaluateBoolean("1", given),
    ExpressionError,
    "unable to cast expression result '%!s(int=1)' to bool",
  );
  assertThrows(
    () => evaluateBoolean("lastRetry.x.y == 1", given),
    ExpressionError,
    "unable to evaluate expression 'lastRetry.x.y == 1': cannot fetch y from <nil>",
  );
});

function names(source: string): string[] {
  return findReferences(source).map(({ name, optional }) => (optional ? `${name}?` : name));
}

Deno.test("findReferences() lists every name and every path with its prefixes", () => {
  assertEquals(names("steps.a.outputs.result + workflow['name']"), [
    "steps",
    "steps.a",
    "steps.a.outputs",
    "steps.a.outputs.result",
    "workflow",
    "workflow.name",
  ]);
});

Deno.test("paths left of ?? and just before ?. are optional, names never are", () => {
  assertEquals(names("a.b.c ?? 'd'"), ["a", "a.b?", "a.b.c?"]);
  assertEquals(names("a.b?.c"), ["a", "a.b?"]);
  assertEquals(names("item ?? 'd'"), ["item"]);
  assertEquals(names("(a.b ?? 1) + a.b"), ["a", "a.b"]);
});

Deno.test("let names, $env and unknown functions count as names, builtins do not", () => {
  assertEquals(names("let x = 1; x + $env.y"), ["x", "$env", "$env.y"]);
  assertEquals(names("nope(1) + len('a')"), ["nope"]);
});

Deno.test("values are data: whatever they hold is never read again", () => {
  for (const value of ["{{x}}", "1 + 1", "' + nope + '", "\0", "a\nb", '"']) {
    const given = environment(new Map([["inputs.parameters.p", value]]));
    assertEquals(evaluateBoolean("inputs.parameters.p == other.value", { ...given, other: { value } }), true);
  }
});

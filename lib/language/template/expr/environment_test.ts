import { assertEquals, assertThrows } from "@std/assert";
import { environment, evaluateBoolean, ExpressionError, findReferences, unfold } from "./mod.ts";
import { env, expectResults } from "./testing/run.ts";

Deno.test("environment: dotted names are nested at every dot, including those of labels", () => {
  const flat = { "workflow.labels.app.kubernetes.io/name": "x", "inputs.parameters.my-p": "v", item: "i" };
  expectResults({
    'workflow.labels.app.kubernetes["io/name"]': '"x"',
    'inputs.parameters["my-p"]': '"v"',
    item: '"i"',
  }, flat);
});

Deno.test("environment: children take precedence over their parent", () => {
  assertEquals(
    unfold(new Map([["a", "x"], ["a.b", "y"]])),
    Object.assign(Object.create(null), {
      a: Object.assign(Object.create(null), { b: "y" }),
    }),
  );
  expectResults({ "a.b": '"y"', "toJson(a)": '"{\\"b\\":\\"y\\"}"' }, { a: "x", "a-b": "z", "a.b": "y" });
});

Deno.test("environment: nil is kept and differs from absent", () => {
  expectResults({ "a.b == nil": "true", "'b' in a": "true", "'c' in a": "false" }, { "a.b": null });
});

Deno.test("environment: names such as __proto__ and constructor are ordinary names", () => {
  const flat = { "a.__proto__.x": "y", "constructor.name": "z" };
  expectResults({
    "a.__proto__.x": '"y"',
    "constructor.name": '"z"',
    "a.toString": "null",
    "toString": "!compile: unknown name toString",
  }, flat);
});

Deno.test("environment: adds Argo's functions to the builtins", () => {
  expectResults({
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

Deno.test("evaluateBoolean: the value must be a boolean", () => {
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

Deno.test("findReferences() marks paths left of ?? and directly before ?. as optional, but never names", () => {
  assertEquals(names("a.b.c ?? 'd'"), ["a", "a.b?", "a.b.c?"]);
  assertEquals(names("a.b?.c"), ["a", "a.b?"]);
  assertEquals(names("item ?? 'd'"), ["item"]);
  assertEquals(names("(a.b ?? 1) + a.b"), ["a", "a.b"]);
});

Deno.test("findReferences() includes let names, $env and unknown functions, but not builtins", () => {
  assertEquals(names("let x = 1; x + $env.y"), ["x", "$env", "$env.y"]);
  assertEquals(names("nope(1) + len('a')"), ["nope"]);
});

Deno.test("environment: values are data and are not interpreted", () => {
  for (const value of ["{{x}}", "1 + 1", "' + nope + '", "\0", "a\nb", '"']) {
    const given = environment(new Map([["inputs.parameters.p", value]]));
    assertEquals(evaluateBoolean("inputs.parameters.p == other.value", { ...given, other: { value } }), true);
  }
});

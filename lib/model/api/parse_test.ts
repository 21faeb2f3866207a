import { assertEquals } from "@std/assert";
import type { FieldError } from "@tiphys/base/field_error";
import { parseCronWorkflow, parseWorkflow, type Strictness } from "./parse.ts";

function errorsOf(spec: unknown, strictness?: Strictness): readonly FieldError[] {
  const parsed = parseWorkflow({ metadata: {}, spec }, strictness);
  return parsed.ok ? [] : parsed.errors;
}

function specOf(spec: unknown) {
  const parsed = parseWorkflow({ metadata: {}, spec });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.value.spec;
}

Deno.test("parse: an unknown field is an error with its place and the most similar field", () => {
  assertEquals(errorsOf({ templates: [{ name: "a", container: { image: "x", comand: ["y"] } }] }), [{
    path: "spec.templates[0].container.comand",
    message: 'unknown field "comand"; did you mean "command"?',
  }]);
});

Deno.test("parse: an unknown field in an inline template of a step is found", () => {
  assertEquals(errorsOf({ templates: [{ steps: [[{ name: "a", inline: { suspend: { seconds: 1 } } }]] }] }), [{
    path: "spec.templates[0].steps[0][0].inline.suspend.seconds",
    message: 'unknown field "seconds"',
  }]);
});

Deno.test("parse: lenient parsing drops unknown fields", () => {
  const parsed = parseWorkflow({ metadata: {}, spec: { entrypoint: "a", invented: 1 } }, "lenient");
  assertEquals(parsed, { ok: true, value: { metadata: {}, spec: { entrypoint: "a" } } });
});

Deno.test("parse: a value that is nested too deeply is one error, found without recursion", () => {
  let item: unknown = "bottom";
  for (let level = 0; level < 100_000; level++) item = [item];
  assertEquals(errorsOf({ templates: [{ steps: [[{ name: "a", withItems: [item] }]] }] }, "lenient"), [{
    path: "spec.templates[0].steps[0][0].withItems[0][0][0]",
    message: "lists and objects are nested more than 200 levels deep",
  }]);
});

const wrongTypes: [string, unknown, FieldError][] = [
  ["a number where a string belongs", { entrypoint: 5 }, {
    path: "spec.entrypoint",
    message: "expected string, got 5",
  }],
  ["a boolean where a string belongs, as YAML reads y", { entrypoint: true }, {
    path: "spec.entrypoint",
    message:
      "expected string, got true; put the text in quotes: without them, YAML reads y, n, yes, no, on, off, true " +
      "and false as booleans",
  }],
  ["an object where a list belongs", { templates: { name: "a" } }, {
    path: "spec.templates",
    message: "expected list, got an object",
  }],
  ["a step outside a list of parallel steps", { templates: [{ steps: [{ name: "a" }] }] }, {
    path: "spec.templates[0].steps[0]",
    message: "expected list, got an object",
  }],
  ["a fraction where a whole number belongs", { parallelism: 1.5 }, {
    path: "spec.parallelism",
    message: "expected integer, got 1.5",
  }],
  ["a list where text or a whole number belongs", { templates: [{ activeDeadlineSeconds: [1] }] }, {
    path: "spec.templates[0].activeDeadlineSeconds",
    message: "expected integer or string, got a list",
  }],
  ["an object where a parameter's text belongs", { arguments: { parameters: [{ name: "a", value: {} }] } }, {
    path: "spec.arguments.parameters[0].value",
    message: "expected string, number or boolean, got an object",
  }],
  ["a word outside of an enumeration", { shutdown: "Now" }, {
    path: "spec.shutdown",
    message: 'expected one of "", "Terminate", "Stop", got "Now"',
  }],
  ["a missing required field", { arguments: { parameters: [{ value: "x" }] } }, {
    path: "spec.arguments.parameters[0].name",
    message: "name is required",
  }],
  ["null where a step belongs", { templates: [{ steps: [[null]] }] }, {
    path: "spec.templates[0].steps[0][0]",
    message: "expected object, got null",
  }],
  ["a plugin template for two plugins", { templates: [{ plugin: { a: {}, b: {} } }] }, {
    path: "spec.templates[0].plugin",
    message: "expected exactly one key, got 2",
  }],
];

for (const [title, spec, error] of wrongTypes) {
  Deno.test(`parse: rejects ${title}`, () => assertEquals(errorsOf(spec, "lenient"), [error]));
}

Deno.test("parse: numbers and booleans as parameter values become strings without an exponent", () => {
  const values = [1, 1.5, 1e21, 1e-7, -2.5e-9, true, "01"];
  const parameters = values.map((value, index) => ({ name: `p${index}`, value, default: value }));
  assertEquals(specOf({ arguments: { parameters } }).arguments?.parameters?.map((parameter) => parameter.value), [
    "1",
    "1.5",
    "1000000000000000000000",
    "0.0000001",
    "-0.0000000025",
    "true",
    "01",
  ]);
});

Deno.test("parse: a null field is absent, and a null loop item is an item", () => {
  const spec = specOf({
    onExit: null,
    nodeSelector: { a: "b", c: null },
    templates: [{ steps: [[{ name: "a", withItems: [null, { x: null }] }]] }],
  });
  assertEquals(spec, {
    nodeSelector: { a: "b" },
    templates: [{ steps: [[{ name: "a", withItems: [null, { x: null }] }]] }],
  });
});

Deno.test("parse: a quantity that is a number becomes a string", () => {
  const spec = specOf({ podResources: { limits: { cpu: 0.5, memory: "64Mi" } } });
  assertEquals(spec.podResources?.limits, { cpu: "0.5", memory: "64Mi" });
});

Deno.test("parse: open objects keep unknown fields", () => {
  const volumes = [{ name: "v", nfs: { server: "s", path: "/p" } }];
  assertEquals(specOf({ volumes }).volumes, volumes);
});

Deno.test("parse: a value that is not an object is one error", () => {
  assertEquals(parseCronWorkflow("text"), {
    ok: false,
    errors: [{ path: "", message: 'expected object, got "text"' }],
  });
});

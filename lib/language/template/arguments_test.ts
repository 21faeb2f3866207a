import { UserError } from "@tiphys/base/user_error";
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { ABSENT_ARGUMENT, markAbsentArguments } from "./absent_argument.ts";
import { type CallContext, type InputParameter, processArguments, substituteParameters } from "./arguments.ts";
import { TemplateError } from "./error.ts";
import { markAsValues, planOf, withTagsInValues } from "./plan.ts";
import type { OpenValues } from "./render.ts";

const globals = new Map<string, string | null>([
  ["workflow.name", "wf"],
  ["workflow.parameters.tag", "{{inputs.parameters.x}}"],
]);
const locals = new Map([["pod.name", "wf-t-1"]]);

function template(input: InputParameter, text = "{{inputs.parameters.x}}") {
  return { name: "t", inputs: { parameters: [input] }, container: { args: [text] } };
}

function called(input: InputParameter, argument?: Partial<InputParameter>, context: Partial<CallContext> = {}): string {
  const parameters = argument ? [{ name: "x", ...argument }] : [];
  return processArguments(template(input), { parameters }, { globals, locals, ...context }).container.args.join();
}

function assertCallFails(message: string, ...call: Parameters<typeof called>): void {
  assertThrows(() => called(...call), TemplateError, message);
}

Deno.test("processArguments: an input gets the argument, else its own value, else its default", () => {
  const input = { name: "x", value: "own", default: "fallback" };
  assertEquals(called(input, { value: "given" }), "given");
  assertEquals(called(input), "own");
  assertEquals(called({ name: "x", default: "fallback" }), "fallback");
});

Deno.test("processArguments: an empty argument counts as an argument", () => {
  assertEquals(called({ name: "x", default: "fallback" }, { value: "" }), "");
});

Deno.test("processArguments: inputs that refer to each other in a chain are filled in, in any order", () => {
  const parameters = [
    { name: "a", value: "{{inputs.parameters.b}}/{{inputs.parameters.b}} {{pod.name}}" },
    { name: "b", value: "{{=inputs.parameters.c + '!'}}" },
    { name: "c", value: "<{{inputs.parameters.d}}>" },
    { name: "d", value: "none" },
  ];
  const chain = { inputs: { parameters }, args: ["{{inputs.parameters.a}}", "{{inputs.parameters.c}}"] };
  const given = { parameters: [markAsValues({ name: "d", value: "{{inputs.parameters.a}}" })] };
  const filled = processArguments(chain, given, { globals, locals });
  const d = "{{inputs.parameters.a}}";
  assertEquals(filled.args, [`<${d}>!/<${d}>! wf-t-1`, `<${d}>`], "a value is never interpreted");
});

Deno.test("processArguments: an input whose value refers to itself is an error, except by its default", () => {
  const call = (parameters: InputParameter[]) =>
    processArguments({ inputs: { parameters }, args: ["{{inputs.parameters.a}}"] }, {}, { globals, locals }).args;
  const [self, other] = ["{{inputs.parameters.a}}", "{{inputs.parameters.b}}"];
  const message = "inputs.parameters.a: its value refers to itself";
  assertThrows(() => call([{ name: "a", value: `x${self}` }]), TemplateError, message);
  assertThrows(() => call([{ name: "a", value: other }, { name: "b", value: self }]), TemplateError, message);
  assertEquals(call([{ name: "a", value: `x${self}`, default: "d" }]), ["xd"]);
});

Deno.test("processArguments: an input without any value is an error", () => {
  assertCallFails("inputs.parameters.x was not supplied", { name: "x" });
});

Deno.test("processArguments: an argument that is named but has no value removes the default", () => {
  assertCallFails("inputs.parameters.x was not supplied", { name: "x", default: "fallback" }, {});
});

Deno.test("processArguments: an argument that refers to a skipped producer leaves the default in place", () => {
  assertEquals(called({ name: "x", default: "fallback" }, { value: ABSENT_ARGUMENT }), "fallback");
  assertCallFails("references an absent optional", { name: "x" }, { value: ABSENT_ARGUMENT });
});

Deno.test("processArguments: an input may come from a ConfigMap whose name has tags", () => {
  const input = { name: "x", valueFrom: { configMapKeyRef: { name: "cm-{{workflow.name}}", key: "k" } } };
  assertEquals(called(input, undefined, { configMapValue: ({ name, key }) => `${name}/${key}` }), "cm-wf/k");
});

Deno.test("processArguments: an unreadable ConfigMap is an error unless the input has a default", () => {
  const configMapValue = () => {
    throw new UserError("gone");
  };
  const reference = { configMapKeyRef: { name: "cm", key: "k" } };
  assertCallFails(
    "unable to retrieve inputs.parameters.x from ConfigMap: gone",
    { name: "x", valueFrom: reference },
    undefined,
    {
      configMapValue,
    },
  );
  assertEquals(called({ name: "x", valueFrom: { ...reference, default: "d" } }, undefined, { configMapValue }), "d");
});

Deno.test("processArguments: an argument takes precedence over a ConfigMap", () => {
  assertEquals(
    called({ name: "x", valueFrom: { configMapKeyRef: { name: "cm", key: "k" } } }, { value: "given" }),
    "given",
  );
});

Deno.test("processArguments: defaults may refer to globals, but not to other inputs", () => {
  assertEquals(called({ name: "x", default: "{{workflow.name}}" }), "wf");
  const inputs = { parameters: [{ name: "y", default: "yv" }, { name: "x", default: "{{inputs.parameters.y}}" }] };
  const filled = processArguments({ ...template({ name: "x" }), inputs }, {}, { globals, locals });
  assertEquals(filled.container.args, ["{{inputs.parameters.y}}"]);
});

Deno.test("processArguments: a tag in the value of a global is kept, unless its author wrote it or values are read as in Argo", () => {
  const fill = (open?: OpenValues) =>
    substituteParameters(template({ name: "x", value: "v" }, "{{workflow.parameters.tag}}"), globals, locals, open)
      .container.args;
  assertEquals(fill(), ["{{inputs.parameters.x}}"]);
  assertEquals(withTagsInValues(() => fill()), ["v"]);
  const text = planOf("{{inputs.parameters.x}}");
  assert(text?.kind === "text");
  assertEquals(fill(new Map([["workflow.parameters.tag", text.text]])), ["v"]);
});

Deno.test("processArguments: inputs are available as JSON, and paths of artifacts and outputs by name", () => {
  const filled = substituteParameters(
    {
      inputs: { parameters: [{ name: "x", value: 'a"b' }], artifacts: [{ name: "in", path: "/in" }] },
      outputs: {
        parameters: [{ name: "o", valueFrom: { path: "/tmp/o" } }],
        artifacts: [{ name: "out", path: "/out/{{workflow.name}}" }],
      },
      args: [
        "{{inputs.parameters}}",
        "{{inputs.artifacts.in.path}} {{outputs.artifacts.out.path}} {{outputs.parameters.o.path}} {{pod.name}}",
      ],
    },
    globals,
    locals,
  );
  assertEquals(filled.args, ['[{"name":"x","value":"a\\"b"}]', "/in /out/wf /tmp/o wf-t-1"]);
});

Deno.test("processArguments: an empty list of inputs counts as absent", () => {
  const empty = { inputs: { parameters: [] }, container: { args: ["{{inputs.parameters}}"] } };
  assertEquals(substituteParameters(empty, globals, locals).container.args, ["null"]);
});

Deno.test("processArguments: returns the same object for a template without tags and inputs", () => {
  const plain = { name: "t", container: { args: ["x"] } };
  assertStrictEquals(processArguments(plain, {}, { globals, locals }), plain);
});

Deno.test("processArguments: an input artifact must come from the arguments, unless it is optional or has a location", () => {
  const call = (
    artifact: { name: string; [field: string]: unknown },
    args: { name: string; [field: string]: unknown }[],
  ) =>
    processArguments({ inputs: { artifacts: [artifact] } }, { artifacts: args }, { globals, locals }).inputs.artifacts;
  assertThrows(() => call({ name: "a", path: "/a" }, []), TemplateError, "inputs.artifacts.a was not supplied");
  assertThrows(() => call({ name: "a" }, [{ name: "a" }]), TemplateError, "missing location information");
  assertEquals(call({ name: "a", optional: true }, []), [{ name: "a", optional: true }]);
  assertEquals(call({ name: "a", raw: { data: "d" } }, []), [{ name: "a", raw: { data: "d" } }]);
});

Deno.test("processArguments: an artifact argument replaces the input, except for the template's path and mode", () => {
  const filled = processArguments(
    { inputs: { artifacts: [{ name: "a", path: "/here", mode: 0o644 }] } },
    { artifacts: [{ name: "a", path: "/there", s3: { key: "k" } } as { name: string }] },
    { globals, locals },
  );
  assertEquals(
    filled.inputs.artifacts[0],
    { name: "a", path: "/here", mode: 0o644, s3: { key: "k" } } as typeof filled.inputs.artifacts[0],
  );
});

const values = new Map<string, string | null>([["steps.s.outputs.parameters.p", null], [
  "steps.a.outputs.result",
  "5",
]]);

Deno.test("markAbsentArguments: marks an argument that is exactly one tag of a skipped producer", () => {
  const args = { parameters: [{ name: "x", value: "{{ steps.s.outputs.parameters.p }}" }] };
  const [marked] = markAbsentArguments(args, values).parameters;
  assertEquals(marked?.value.startsWith(ABSENT_ARGUMENT), true);
});

Deno.test("markAbsentArguments: leaves composite arguments and arguments with a value unchanged", () => {
  for (
    const value of [
      "x-{{steps.s.outputs.parameters.p}}",
      "{{=steps.s.outputs.parameters.p}}",
      "{{steps.s.outputs.parameters.p}}{{steps.s.outputs.parameters.p}}",
      "{{steps.a.outputs.result}}",
      "{{steps.unknown.outputs.result}}",
    ]
  ) {
    const args = { parameters: [{ name: "x", value }] };
    assertStrictEquals(markAbsentArguments(args, values), args);
  }
});

Deno.test("processArguments: rejects an artifact that garbage collection has deleted", () => {
  const template = { inputs: { artifacts: [{ name: "a", path: "/a", optional: true }] } };
  const args = { artifacts: [{ name: "a", s3: { key: "k" }, deleted: true }] };
  assertThrows(
    () => processArguments(template, args, { globals: new Map(), locals: new Map() }),
    Error,
    "artifact a was deleted by garbage collection",
  );
});

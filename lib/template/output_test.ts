import { assertEquals, assertThrows } from "@std/assert";
import { transformData } from "./data_transform.ts";
import { TemplateError } from "./error.ts";
import { type OutputParameter, outputParameters, resolveVariable } from "./output.ts";
import { usesResultOf } from "./result_reference.ts";

const scope = new Map<string, string | null>([["steps.a.outputs.result", "5"], ["steps.s.outputs.parameters.p", null]]);

function output(valueFrom: OutputParameter["valueFrom"]): string | undefined {
  return outputParameters([{ name: "o", valueFrom }], scope)[0]?.value;
}

Deno.test("an output takes a name with or without braces", () => {
  assertEquals(output({ parameter: "{{steps.a.outputs.result}}" }), "5");
  assertEquals(output({ parameter: "steps.a.outputs.result" }), "5");
});

Deno.test("an output's expression is bare, and its value is stored as Go prints it", () => {
  assertEquals(output({ expression: "asInt(steps.a.outputs.result) * 2" }), "10");
  assertEquals(output({ expression: "[1, 'a', nil]" }), "[1 a <nil>]");
  assertEquals(output({ expression: "5000000.0" }), "5e+06");
});

Deno.test("the default is taken where there is no value", () => {
  assertEquals(output({ parameter: "steps.z.outputs.result", default: "d" }), "d");
  assertEquals(output({ parameter: "steps.s.outputs.parameters.p", default: "d" }), "d");
  assertEquals(output({ expression: "nil", default: "d" }), "d");
  assertEquals(output({ expression: "1 +", default: "d" }), "d");
});

Deno.test("an output from nowhere is empty", () => {
  assertEquals(outputParameters([{ name: "o", valueFrom: {} }], new Map()), [{ name: "o", value: "" }]);
});

Deno.test("without a default there is an error, which for a skipped producer is final", () => {
  assertThrows(() => output({ parameter: "steps.z.outputs.result" }), TemplateError, "Unable to resolve");
  assertThrows(() => output({ parameter: "{{steps.s.outputs.parameters.p}}" }), TemplateError, "is an absent optional");
  assertThrows(() => output({ expression: "nil" }), TemplateError, "failed to evaluate expression");
  assertThrows(() => output(undefined), TemplateError, "must have a valueFrom");
});

Deno.test("an expression in braces sees values as they are and no functions of Argo's", () => {
  const nested = new Map([["steps", { a: { result: "5" } }]]);
  assertEquals(resolveVariable("{{=steps.a.result}}", nested).value, "5");
  assertThrows(() => resolveVariable("{{=asInt('1')}}", nested), TemplateError, "Unable to compile");
});

Deno.test("a script's output is captured when its caller uses the result", () => {
  const calling = (text: string) => usesResultOf("a", { dag: { tasks: [{ when: text }] } });
  assertEquals(calling("{{tasks.a.outputs.result}} == 1"), true);
  assertEquals(calling("{{=tasks['a'].outputs.result}}"), true);
  assertEquals(calling("{{tasks.aa.outputs.result}}"), false);
  assertEquals(calling("{{steps.a.outputs.result}}"), false);
  assertEquals(usesResultOf("a", { steps: [[{ when: "{{steps.a.outputs.result}}" }]] }), true);
});

Deno.test("each step of a transformation sees the result of the one before", () => {
  const steps = [{ expression: "filter(data, {# endsWith '.pdf'})" }, { expression: "map(data, upper(#))" }];
  assertEquals(transformData(["a.pdf", "b.txt"], steps), ["A.PDF"]);
});

Deno.test("the first step of a transformation knows that its data are texts", () => {
  const steps = [{ expression: "filter(data, .k == 1)" }];
  assertThrows(() => transformData(["a"], steps), TemplateError, "type string has no field k");
});

Deno.test("a failing step of a transformation is named", () => {
  const steps = [{ expression: "data" }, { expression: "asInt('1')" }];
  assertThrows(() => transformData([], steps), TemplateError, "error processing data step 1: unknown name asInt");
});

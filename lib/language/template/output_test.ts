import { assertEquals, assertThrows } from "@std/assert";
import { transformData } from "./data_transform.ts";
import { TemplateError } from "./error.ts";
import { type OutputParameter, outputParameters, resolveVariable } from "./output.ts";
import { usesResultOf } from "./result_reference.ts";

const scope = new Map<string, string | null>([["steps.a.outputs.result", "5"], ["steps.s.outputs.parameters.p", null]]);

function output(valueFrom: OutputParameter["valueFrom"]): string | undefined {
  return outputParameters([{ name: "o", valueFrom }], scope)[0]?.value;
}

Deno.test("outputParameters: a parameter source is a name with or without braces", () => {
  assertEquals(output({ parameter: "{{steps.a.outputs.result}}" }), "5");
  assertEquals(output({ parameter: "steps.a.outputs.result" }), "5");
});

Deno.test("outputParameters: an expression has no braces, and its value is stored as Go prints it", () => {
  assertEquals(output({ expression: "asInt(steps.a.outputs.result) * 2" }), "10");
  assertEquals(output({ expression: "[1, 'a', nil]" }), "[1 a <nil>]");
  assertEquals(output({ expression: "5000000.0" }), "5e+06");
});

Deno.test("outputParameters: the default is used if there is no value", () => {
  assertEquals(output({ parameter: "steps.z.outputs.result", default: "d" }), "d");
  assertEquals(output({ parameter: "steps.s.outputs.parameters.p", default: "d" }), "d");
  assertEquals(output({ expression: "nil", default: "d" }), "d");
  assertEquals(output({ expression: "1 +", default: "d" }), "d");
});

Deno.test("outputParameters: a parameter without a source resolves to the empty string", () => {
  assertEquals(outputParameters([{ name: "o", valueFrom: {} }], new Map()), [{ name: "o", value: "" }]);
});

Deno.test("outputParameters: a missing value without a default is an error, which is final for a skipped producer", () => {
  assertThrows(() => output({ parameter: "steps.z.outputs.result" }), TemplateError, "Unable to resolve");
  assertThrows(() => output({ parameter: "{{steps.s.outputs.parameters.p}}" }), TemplateError, "is an absent optional");
  assertThrows(() => output({ expression: "nil" }), TemplateError, "failed to evaluate expression");
  assertThrows(() => output(undefined), TemplateError, "must have a valueFrom");
});

Deno.test("resolveVariable: an expression in braces sees the values unchanged and none of Argo's functions", () => {
  const nested = new Map([["steps", { a: { result: "5" } }]]);
  assertEquals(resolveVariable("{{=steps.a.result}}", nested).value, "5");
  assertThrows(() => resolveVariable("{{=asInt('1')}}", nested), TemplateError, "Unable to compile");
});

Deno.test("usesResultOf: is true for a step whose result its caller uses", () => {
  const calling = (text: string) => usesResultOf("a", { dag: { tasks: [{ when: text }] } });
  assertEquals(calling("{{tasks.a.outputs.result}} == 1"), true);
  assertEquals(calling("{{=tasks['a'].outputs.result}}"), true);
  assertEquals(calling("{{tasks.aa.outputs.result}}"), false);
  assertEquals(calling("{{steps.a.outputs.result}}"), false);
  assertEquals(usesResultOf("a", { steps: [[{ when: "{{steps.a.outputs.result}}" }]] }), true);
});

Deno.test("transformData: each step receives the result of the previous step", () => {
  const steps = [{ expression: "filter(data, {# endsWith '.pdf'})" }, { expression: "map(data, upper(#))" }];
  assertEquals(transformData(["a.pdf", "b.txt"], steps), ["A.PDF"]);
});

Deno.test("transformData: the first step is compiled with data of type list of strings", () => {
  const steps = [{ expression: "filter(data, .k == 1)" }];
  assertThrows(() => transformData(["a"], steps), TemplateError, "type string has no field k");
});

Deno.test("transformData: an error names the failed step", () => {
  const steps = [{ expression: "data" }, { expression: "asInt('1')" }];
  assertThrows(() => transformData([], steps), TemplateError, "error processing data step 1: unknown name asInt");
});

import { assertEquals, assertThrows } from "@std/assert";
import { aggregate, type LoopChild } from "./aggregate.ts";
import { TemplateError } from "./error.ts";

function child(index: number, outputs: LoopChild["outputs"], more: Partial<LoopChild> = {}): LoopChild {
  return { name: `wf.t(${index}:x)`, phase: "Succeeded", outputs, ...more };
}

const parameter = (value: string) => ({ parameters: [{ name: "p", value }] });

function aggregated(...children: readonly LoopChild[]): Record<string, string> {
  return Object.fromEntries(aggregate("tasks.t", "wf.t", children));
}

Deno.test("aggregate: a loop without children has no outputs", () => {
  assertEquals(aggregated(), {});
});

Deno.test("aggregate: results are a JSON list of the successful children, ordered by index", () => {
  const failed = child(1, { result: "9" }, { phase: "Failed" });
  assertEquals(aggregated(child(10, { result: '{"a": 1}' }), failed, child(2, { result: "1.50" })), {
    "tasks.t.outputs.result": '[1.50,{"a":1}]',
    "tasks.t.outputs.parameters": "[]",
  });
});

Deno.test("aggregate: a result that is not JSON fails with an error that names the loop and the item", () => {
  const { message } = assertThrows(() => aggregated(child(0, { result: "ready" })), TemplateError);
  assertEquals(
    message,
    'tasks.t.outputs.result: the result of "wf.t(0:x)" is not JSON, and the results of a loop make a JSON list: ' +
      "invalid character 'r' looking for beginning of value",
  );
});

Deno.test("aggregate: an output without a value is an error", () => {
  assertThrows(() => aggregated(child(0, { parameters: [{ name: "p" }] })), TemplateError, 'output parameter "p"');
});

Deno.test("aggregate: ignores hooks and attempts", () => {
  const hook = child(1, { result: "1" }, { nodeFlag: { hooked: true } });
  const attempt = child(2, { result: "2" }, { nodeFlag: { retried: true } });
  assertEquals(aggregated(hook, attempt, child(3, { result: "3" }))["tasks.t.outputs.result"], "[3]");
});

Deno.test("aggregate: parameters are a list of maps, and one list for each parameter", () => {
  const scope = aggregated(child(0, parameter("a")), child(1, parameter("1")));
  assertEquals(scope["tasks.t.outputs.parameters"], '[{"p":"a"},{"p":"1"}]');
  assertEquals(scope["tasks.t.outputs.parameters.p"], '["a","1"]');
});

Deno.test("aggregate: embeds values as JSON only when all are lists or objects", () => {
  const listed = (...values: readonly string[]) => {
    return aggregated(...values.map((value, index) => child(index, parameter(value))))["tasks.t.outputs.parameters.p"];
  };
  assertEquals(listed("[1]", ' {"a": 2} '), '[[1],{"a":2}]');
  assertEquals(listed("[1]", "x"), '["[1]","x"]');
  assertEquals(listed('"s"', "null"), '["\\"s\\"","null"]');
});

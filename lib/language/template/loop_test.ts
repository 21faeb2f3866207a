import { assertEquals, assertThrows } from "@std/assert";
import { isLoop } from "@tiphys/model/templates";
import { TemplateError } from "./error.ts";
import { Item } from "./item.ts";
import { expandLoop, isEmptyLoop, loopChildName, type LoopHolder } from "./loop.ts";
import { replaceTags } from "./replace.ts";
import { expandSequence } from "./sequence.ts";

const values = new Map<string, string | null>([["workflow.name", "wf"], ["skipped", null]]);

function argument(value: string) {
  return { parameters: [{ name: "p", value }] };
}

function expandedItems(step: Parameters<typeof expandLoop>[0] & { arguments?: unknown }): [string, string][] {
  return expandLoop(step, values).map((child) => {
    const { parameters } = child.arguments as ReturnType<typeof argument>;
    return [child.name ?? "", parameters.map(({ value }) => value).join()];
  });
}

Deno.test("expandLoop: a step that is not a loop is returned alone and unchanged", () => {
  const step: LoopHolder = { name: "s" };
  assertEquals(isLoop(step), false);
  assertEquals(expandLoop(step, values), [step]);
});

Deno.test("isEmptyLoop(): is true for an empty list, null and a count of 0", () => {
  const empty = [
    { withItems: [] },
    { withParam: "[]" },
    { withParam: " [ ]\n" },
    { withParam: "null" },
    { withSequence: { count: 0 } },
    { withSequence: { count: "0", start: "5" } },
  ];
  const others = [
    { withItems: [null] },
    { withItems: [], withParam: "[1]" },
    { withParam: "[[]]" },
    { withParam: "{}" },
    { withSequence: { count: "x" } },
    { withSequence: { end: 0 } },
  ];
  assertEquals(empty.map(isEmptyLoop), empty.map(() => true));
  const [, ...written] = empty;
  assertEquals(written.map((loop) => expandLoop({ name: "s", ...loop }, values)), written.map(() => []));
  assertEquals(others.map(isEmptyLoop), others.map(() => false));
});

Deno.test("expandLoop: each item makes a child named by its index and the item", () => {
  const step = {
    name: "s",
    withItems: ["a", 1, true, { k: "v", b: 2 }, [1, "x"], null],
    arguments: argument("{{item}}"),
  };
  assertEquals(expandedItems(step), [
    ["s(0:a)", "a"],
    ["s(1:1)", "1"],
    ["s(2:true)", "true"],
    ["s(3:b:2,k:v)", '{"b":2,"k":"v"}'],
    ["s(4:[1 x])", '[1,"x"]'],
    ["s(5:[])", "null"],
  ]);
});

Deno.test("expandLoop: fills in a child's template reference, but not its name and template", () => {
  const step = { name: "s-{{item}}", template: "t-{{item}}", templateRef: { name: "{{item}}" }, withItems: ["a"] };
  assertEquals(expandLoop(step, values), [
    { name: "s-{{item}}(0:a)", template: "t-{{item}}", templateRef: { name: "a" } } as unknown as typeof step,
  ]);
});

Deno.test("expandLoop: the fields of a map item have their own names, and an expression sees a map", () => {
  assertEquals(expandedItems({ name: "s", withItems: [{ k: "v" }], arguments: argument("{{item.k}} {{=item.k}}") }), [
    ["s(0:k:v)", "v v"],
  ]);
});

Deno.test("expandLoop: a field of a map item keeps its JSON escapes", () => {
  assertEquals(
    expandedItems({ name: "s", withItems: [{ k: 'a"b' }], arguments: argument("{{item.k}}") })[0]?.[1],
    'a\\"b',
  );
});

Deno.test("expandLoop: withParam keeps the spelling of numbers", () => {
  assertEquals(expandedItems({ name: "s", withParam: "[1.50, 1e3]", arguments: argument("{{item}}") }), [
    ["s(0:1.50)", "1.50"],
    ["s(1:1e3)", "1e3"],
  ]);
});

Deno.test("expandLoop: withItems keeps the spelling of items that were read as text", () => {
  const step = { name: "s", withItems: [Item.parse("1.50")], arguments: argument("{{item}}") };
  assertEquals(expandedItems(step), [["s(0:1.50)", "1.50"]]);
});

Deno.test("expandLoop: withParam must be a list, unless `when` is already false", () => {
  const step = { name: "s", withParam: '{"a":1}', arguments: argument("{{item}}") };
  assertThrows(() => expandLoop(step, values), TemplateError, "withParam value could not be parsed as a JSON list");
  assertEquals(expandLoop({ ...step, when: "false" }, values), []);
  assertThrows(() => expandLoop({ ...step, when: "{{item}} == a" }, values), TemplateError);
  assertEquals(expandLoop({ ...step, withParam: "null" }, values), []);
});

Deno.test("expandLoop: withParam may be a JSON string that contains a list, as workflow.failures does", () => {
  const step = { name: "s", withParam: JSON.stringify('[{"a":1}]'), arguments: argument("{{item.a}}") };
  assertEquals(expandedItems(step), [["s(0:a:1)", "1"]]);
  assertEquals(expandLoop({ ...step, withParam: '"null"' }, values), []);
  for (const withParam of ['"a"', '"[1"', '"']) {
    assertThrows(() => expandLoop({ ...step, withParam }, values), TemplateError, `JSON list: ${withParam}`);
  }
});

Deno.test("expandLoop: an unresolved tag in the body is an error", () => {
  const error = assertThrows(
    () => expandLoop({ name: "s", withItems: [1], arguments: argument("{{steps.a.outputs.result}}") }, values),
    TemplateError,
  );
  assertEquals(error.isVariableMissing, true);
});

Deno.test("expandLoop: a tag without a value in a name or template is an error although neither is filled in", () => {
  for (const fields of [{ name: "s-{{nope}}" }, { name: "s", template: "{{nope}}" }]) {
    assertThrows(
      () => expandLoop({ ...fields, withItems: ["a"] }, values),
      TemplateError,
      "failed to resolve {{nope}}",
    );
  }
});

Deno.test("expandLoop: a tag without a value makes the loop wait even if an item cannot be written as JSON", () => {
  const step = { name: "s", withItems: ["\u0007"], a: "{{item}}", b: "{{steps.z.ip}}" };
  assertEquals(assertThrows(() => expandLoop(step, values), TemplateError).isVariableMissing, true);
  assertEquals(assertThrows(() => expandLoop({ ...step, b: "" }, values), TemplateError).isVariableMissing, false);
});

Deno.test("expandLoop: reports the error in the field that Argo prints first", () => {
  const step = { name: "s", withItems: [1], templateRef: { name: "{{steps.z.ip}}" }, arguments: argument("{{=1 +}}") };
  assertEquals(assertThrows(() => expandLoop(step, values), TemplateError).isVariableMissing, false);
});

Deno.test("expandLoop: an output of a skipped producer is a final error, unless `when` is already false", () => {
  const step = { name: "s", withItems: [1], arguments: argument("{{skipped}}") };
  assertEquals(assertThrows(() => expandLoop(step, values), TemplateError).isVariableMissing, false);
  assertEquals(expandedItems({ ...step, when: "1 == 2" }), [["s(0:1)", "{{skipped}}"]]);
});

Deno.test("expandLoop: the `when` of each child has its own item", () => {
  const step = { name: "s", withItems: ["a", "b"], when: "{{item}} == a" };
  assertEquals(expandLoop(step, values).map(({ when }) => when), ["a == a", "b == a"]);
});

Deno.test("expandLoop: an item is not visible to the next child", () => {
  const step = { name: "s", withItems: [{ a: 1 }, { b: 2 }], arguments: argument("{{=item.a ?? 'none'}}") };
  assertEquals(expandedItems(step), [["s(0:a:1)", "1"], ["s(1:b:2)", "none"]]);
});

const texts = (sequence: Parameters<typeof expandSequence>[0]) => expandSequence(sequence).map(({ text }) => text);

Deno.test("withSequence: counts from start, or runs to end, downwards if end is less", () => {
  assertEquals(texts({ count: 3 }), ["0", "1", "2"]);
  assertEquals(texts({ start: "5", count: "2" }), ["5", "6"]);
  assertEquals(texts({ start: 2, end: 0 }), ["2", "1", "0"]);
  assertEquals(texts({ count: 0 }), []);
});

Deno.test("withSequence: a negative count runs downwards, as in Argo", () => {
  assertEquals(texts({ count: -1 }), ["0", "-1", "-2"]);
});

Deno.test("withSequence: formats its numbers like Go", () => {
  assertEquals(texts({ start: 9, end: 10, format: "x%02X" }), ["x09", "x0A"]);
});

Deno.test("withSequence: needs integers", () => {
  assertThrows(() => texts({ count: "3.0" }), TemplateError, "invalid syntax");
  assertThrows(() => texts({ start: 1 }), TemplateError, "neither end nor count");
});

const FEW = { items: 3, characters: 1000 };

Deno.test("expandLoop: checks the number of items before it makes them, for every kind of loop", () => {
  const message = (step: LoopHolder) => assertThrows(() => expandLoop(step, values, FEW), TemplateError).message;
  const withSequence = { count: "9000000000000" };
  assertEquals(
    message({ name: "s", withSequence }),
    "withSequence of s has 9000000000000 items, and a loop may have 3",
  );
  assertEquals(
    message({ name: "s", withSequence: { start: "-9223372036854775808", end: "9223372036854775807" } }),
    "withSequence of s has 18446744073709551616 items, and a loop may have 3",
  );
  assertEquals(message({ name: "s", withItems: [1, 2, 3, 4] }), "withItems of s has 4 items, and a loop may have 3");
  assertEquals(message({ name: "s", withParam: "[1,2,3,4]" }), "withParam of s has 4 items, and a loop may have 3");
});

Deno.test("expandLoop: the limit counts the texts that differ between calls, not the shared ones", () => {
  const long = "x".repeat(400);
  const shared = { name: "s", withItems: [1, 2, 3], arguments: argument(long) };
  assertEquals(expandLoop(shared, values, FEW).length, 3);
  assertEquals(
    assertThrows(() => expandLoop({ ...shared, arguments: argument(`${long}{{item}}`) }, values, FEW)).message,
    "the 3 calls of the loop s exceed the limit of 1000 filled-in characters",
  );
});

Deno.test("expandLoop: stops at the limit of characters for a text that grows with each tag", () => {
  const scope = new Map([["inputs.parameters.big", "x".repeat(1_000_000)]]);
  const object = { args: ["{{inputs.parameters.big}}".repeat(1000)] };
  assertThrows(
    () => replaceTags(object, scope, { kind: "lenient" }),
    TemplateError,
    "filling in the tags of one object may make 8388608 characters",
  );
});

Deno.test("loopChildName() rejects a name from which the index could not be parsed", () => {
  assertThrows(() => loopChildName("st:ep", 0, "x"), TemplateError);
  assertThrows(() => loopChildName("step(0)", 0, "x"), TemplateError);
});

Deno.test("expandLoop(): keeps the tags of an inline template's own inputs", () => {
  const inline = { inputs: { parameters: [{ name: "p" }] }, args: ["{{inputs.parameters.p}}", "{{item}}"] };
  const holder = { name: "a", withItems: ["x"], inline, arguments: { parameters: [{ name: "p", value: "{{item}}" }] } };
  const [child] = expandLoop(holder, new Map());
  assertEquals(child?.inline.args, ["{{inputs.parameters.p}}", "x"]);
  assertEquals(child?.arguments.parameters, [{ name: "p", value: "x" }]);
});

Deno.test("expandLoop(): fails on a tag in an inline template that only its caller could fill in", () => {
  const holder = (tag: string) => ({ name: "a", withItems: [{ k: "1" }], inline: { inputs: {}, args: [tag] } });
  for (const tag of ["{{item.other}}", "{{steps.b.outputs.result}}", "{{inputs.parameters.undeclared}}"]) {
    assertThrows(() => expandLoop(holder(tag), new Map()), TemplateError, "failed to resolve");
  }
});

Deno.test("expandLoop(): in a loop of an inline template, the item is that of the inner loop", () => {
  const show = (value: string) => ({ arguments: { parameters: [{ name: "p", value }] } });
  const inner = (items: object) => ({
    name: "in",
    when: "{{item}} != 9",
    ...items,
    ...show("{{item}} of {{workflow.name}}"),
  });
  const inline = {
    steps: [
      [{ name: "before", ...show("{{item}}") }],
      [inner({ withItems: [1, "{{item}}2"] })],
      [inner({ withParam: "[{{item.k}}]" }), inner({ withSequence: { count: "{{item.k}}" } })],
      [{
        name: "deep",
        ...show("{{item.k}}"),
        inline: { dag: { target: "{{item.k}}", tasks: [inner({ withItems: ["{{item.k}}"] })] } },
      }],
    ],
  };
  const [child] = expandLoop({ name: "a", withItems: [{ k: "1" }], inline }, values);
  const left = (items: object) => ({ ...inner(items), ...show("{{item}} of wf") });
  assertEquals(JSON.parse(JSON.stringify(child?.inline)), {
    steps: [
      [{ name: "before", ...show('{"k":"1"}') }],
      [left({ withItems: [1, '{"k":"1"}2'] })],
      [left({ withParam: "[1]" }), left({ withSequence: { count: "1" } })],
      [{ name: "deep", ...show("1"), inline: { dag: { target: "1", tasks: [left({ withItems: ["1"] })] } } }],
    ],
  });
  const [second] = expandLoop({ ...child!.inline.steps[1]![0]!, name: "in", withItems: ["{{item}}"] }, values);
  assertEquals(second?.arguments.parameters[0]?.value, "{{item}} of wf");
});

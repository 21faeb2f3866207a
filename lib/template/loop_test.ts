import { assertEquals, assertThrows } from "@std/assert";
import { isLoop } from "../status/mod.ts";
import { TemplateError } from "./error.ts";
import { Item } from "./item.ts";
import { expandLoop, isEmptyLoop, loopChildName, type LoopHolder } from "./loop.ts";
import { replaceTags } from "./replace.ts";
import { expandSequence } from "./sequence.ts";

const values = new Map<string, string | null>([["workflow.name", "wf"], ["skipped", null]]);

function argument(value: string) {
  return { parameters: [{ name: "p", value }] };
}

function expanded(step: Parameters<typeof expandLoop>[0] & { arguments?: unknown }): [string, string][] {
  return expandLoop(step, values).map((child) => {
    const { parameters } = child.arguments as ReturnType<typeof argument>;
    return [child.name ?? "", parameters.map(({ value }) => value).join()];
  });
}

Deno.test("a step without a loop comes back alone and untouched", () => {
  const step: LoopHolder = { name: "s" };
  assertEquals(isLoop(step), false);
  assertEquals(expandLoop(step, values), [step]);
});

Deno.test("isEmptyLoop(): a loop over an empty list, null or a count of 0", () => {
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

Deno.test("each item makes a child named by its index and itself", () => {
  const step = {
    name: "s",
    withItems: ["a", 1, true, { k: "v", b: 2 }, [1, "x"], null],
    arguments: argument("{{item}}"),
  };
  assertEquals(expanded(step), [
    ["s(0:a)", "a"],
    ["s(1:1)", "1"],
    ["s(2:true)", "true"],
    ["s(3:b:2,k:v)", '{"b":2,"k":"v"}'],
    ["s(4:[1 x])", '[1,"x"]'],
    ["s(5:[])", "null"],
  ]);
});

Deno.test("the name and the template of a child are not filled in, its template reference is", () => {
  const step = { name: "s-{{item}}", template: "t-{{item}}", templateRef: { name: "{{item}}" }, withItems: ["a"] };
  assertEquals(expandLoop(step, values), [
    { name: "s-{{item}}(0:a)", template: "t-{{item}}", templateRef: { name: "a" } } as unknown as typeof step,
  ]);
});

Deno.test("the fields of a map are names of their own, and an expression sees them as a map", () => {
  assertEquals(expanded({ name: "s", withItems: [{ k: "v" }], arguments: argument("{{item.k}} {{=item.k}}") }), [
    ["s(0:k:v)", "v v"],
  ]);
});

Deno.test("a field of a map keeps its JSON escapes", () => {
  assertEquals(expanded({ name: "s", withItems: [{ k: 'a"b' }], arguments: argument("{{item.k}}") })[0]?.[1], 'a\\"b');
});

Deno.test("withParam keeps the spelling of numbers", () => {
  assertEquals(expanded({ name: "s", withParam: "[1.50, 1e3]", arguments: argument("{{item}}") }), [
    ["s(0:1.50)", "1.50"],
    ["s(1:1e3)", "1e3"],
  ]);
});

Deno.test("withItems keeps the spelling of items that were read as text", () => {
  const step = { name: "s", withItems: [Item.parse("1.50")], arguments: argument("{{item}}") };
  assertEquals(expanded(step), [["s(0:1.50)", "1.50"]]);
});

Deno.test("withParam must be a list, unless when is false already", () => {
  const step = { name: "s", withParam: '{"a":1}', arguments: argument("{{item}}") };
  assertThrows(() => expandLoop(step, values), TemplateError, "withParam value could not be parsed as a JSON list");
  assertEquals(expandLoop({ ...step, when: "false" }, values), []);
  assertThrows(() => expandLoop({ ...step, when: "{{item}} == a" }, values), TemplateError);
  assertEquals(expandLoop({ ...step, withParam: "null" }, values), []);
});

Deno.test("nothing in the body of a loop may stay unresolved", () => {
  const error = assertThrows(
    () => expandLoop({ name: "s", withItems: [1], arguments: argument("{{steps.a.outputs.result}}") }, values),
    TemplateError,
  );
  assertEquals(error.missingVariable, true);
});

Deno.test("a tag without a value fails the loop in a name or template too, although neither is filled in", () => {
  for (const fields of [{ name: "s-{{nope}}" }, { name: "s", template: "{{nope}}" }]) {
    assertThrows(
      () => expandLoop({ ...fields, withItems: ["a"] }, values),
      TemplateError,
      "failed to resolve {{nope}}",
    );
  }
});

Deno.test("a tag without a value makes the loop wait, although an item could not stand in JSON either", () => {
  const step = { name: "s", withItems: ["\u0007"], a: "{{item}}", b: "{{steps.z.ip}}" };
  assertEquals(assertThrows(() => expandLoop(step, values), TemplateError).missingVariable, true);
  assertEquals(assertThrows(() => expandLoop({ ...step, b: "" }, values), TemplateError).missingVariable, false);
});

Deno.test("of two faults in a loop's body the one in the earlier field decides, in the order that Argo prints fields", () => {
  const step = { name: "s", withItems: [1], templateRef: { name: "{{steps.z.ip}}" }, arguments: argument("{{=1 +}}") };
  assertEquals(assertThrows(() => expandLoop(step, values), TemplateError).missingVariable, false);
});

Deno.test("a skipped producer fails the body for good, unless when is false already", () => {
  const step = { name: "s", withItems: [1], arguments: argument("{{skipped}}") };
  assertEquals(assertThrows(() => expandLoop(step, values), TemplateError).missingVariable, false);
  assertEquals(expanded({ ...step, when: "1 == 2" }), [["s(0:1)", "{{skipped}}"]]);
});

Deno.test("the when of each child has its own item", () => {
  const step = { name: "s", withItems: ["a", "b"], when: "{{item}} == a" };
  assertEquals(expandLoop(step, values).map(({ when }) => when), ["a == a", "b == a"]);
});

Deno.test("an item is not seen by the next child", () => {
  const step = { name: "s", withItems: [{ a: 1 }, { b: 2 }], arguments: argument("{{=item.a ?? 'none'}}") };
  assertEquals(expanded(step), [["s(0:a:1)", "1"], ["s(1:b:2)", "none"]]);
});

const texts = (sequence: Parameters<typeof expandSequence>[0]) => expandSequence(sequence).map(({ text }) => text);

Deno.test("withSequence counts from start, or runs to end, downwards where end is less", () => {
  assertEquals(texts({ count: 3 }), ["0", "1", "2"]);
  assertEquals(texts({ start: "5", count: "2" }), ["5", "6"]);
  assertEquals(texts({ start: 2, end: 0 }), ["2", "1", "0"]);
  assertEquals(texts({ count: 0 }), []);
});

Deno.test("a negative count runs downwards, as Argo's users know it", () => {
  assertEquals(texts({ count: -1 }), ["0", "-1", "-2"]);
});

Deno.test("withSequence formats its numbers like Go", () => {
  assertEquals(texts({ start: 9, end: 10, format: "x%02X" }), ["x09", "x0A"]);
});

Deno.test("withSequence needs integers", () => {
  assertThrows(() => texts({ count: "3.0" }), TemplateError, "invalid syntax");
  assertThrows(() => texts({ start: 1 }), TemplateError, "neither end nor count");
});

const FEW = { items: 3, characters: 1000 };

Deno.test("the items of a loop are counted before they are made, whichever way they come", () => {
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

Deno.test("the texts that the calls of a loop hold of their own are counted together, and those that they share are not", () => {
  const long = "x".repeat(400);
  const shared = { name: "s", withItems: [1, 2, 3], arguments: argument(long) };
  assertEquals(expandLoop(shared, values, FEW).length, 3);
  assertEquals(
    assertThrows(() => expandLoop({ ...shared, arguments: argument(`${long}{{item}}`) }, values, FEW)).message,
    "the 3 calls of the loop s may hold 1000 characters of their own, and would hold more",
  );
});

Deno.test("a text that grows with each tag is not made beyond a limit", () => {
  const scope = new Map([["inputs.parameters.big", "x".repeat(1_000_000)]]);
  const object = { args: ["{{inputs.parameters.big}}".repeat(1000)] };
  assertThrows(
    () => replaceTags(object, scope, { kind: "lenient" }),
    TemplateError,
    "filling in the tags of one object may make 8388608 characters",
  );
});

Deno.test("loopChildName() refuses a name whose index could not be read back", () => {
  assertThrows(() => loopChildName("st:ep", 0, "x"), TemplateError);
  assertThrows(() => loopChildName("step(0)", 0, "x"), TemplateError);
});

Deno.test("expandLoop(): leaves the tags of an inline template's own inputs to its call", () => {
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

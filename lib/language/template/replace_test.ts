import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { TemplateError } from "./error.ts";
import { withoutExpressionTags } from "./expression_switch.ts";
import { resolveVariable } from "./output.ts";
import { renderText } from "./render.ts";
import { replaceTags } from "./replace.ts";
import type { Mode } from "./scope.ts";

const LENIENT: Mode = { kind: "lenient" };
const ALL: Mode = { kind: "all" };
const STEPS: Mode = { kind: "strict", prefixes: ["steps", "tasks"] };

const scope = new Map<string, string | null>([
  ["workflow.name", "wf"],
  ["inputs.parameters.x", "v"],
  ["inputs.parameters.k", "x"],
  ["inputs.parameters.n", "41"],
  ["quoted", 'a"b\\c\nd'],
  ["tag", "{{workflow.name}}"],
  ["bell", "\u0007"],
  ["steps.skipped.outputs.parameters.p", null],
]);

function isMissing(mode: Mode, text: string): boolean {
  const error = assertThrows(() => replaceTags(text, scope, mode), TemplateError);
  return error.isVariableMissing;
}

Deno.test("replaceTags() returns the same object when it has no tags", () => {
  const object = { a: ["x", { b: "}} no tag" }], c: 1, d: null };
  assertStrictEquals(replaceTags(object, scope, LENIENT), object);
});

Deno.test("replaceTags() returns the same object when no tag could be resolved", () => {
  const object = { a: "{{unknown}}", b: "{{=unknown.too}}" };
  assertStrictEquals(replaceTags(object, scope, LENIENT), object);
});

Deno.test("replaceTags() shares the parts that did not change", () => {
  const object = { changed: "{{workflow.name}}", same: { a: [1] } };
  const filled = replaceTags(object, scope, LENIENT);
  assertEquals(filled, { changed: "wf", same: { a: [1] } });
  assertStrictEquals(filled.same, object.same);
});

Deno.test("replaceTags() reads a text without tags once, no matter how often it is filled in", () => {
  let reads = 0;
  const untagged = new Proxy({ a: ["x"] }, {
    ownKeys: (target) => {
      reads++;
      return Reflect.ownKeys(target);
    },
  });
  const template = { tagged: "{{workflow.name}}", untagged };
  assertEquals(replaceTags(template, scope, ALL).tagged, "wf");
  const readOnce = reads;
  assertEquals(replaceTags(template, new Map([["workflow.name", "other"]]), ALL).tagged, "other");
  assertEquals(reads, readOnce);
});

Deno.test("replaceTags() fills in keys like values", () => {
  assertEquals(replaceTags({ labels: { "{{workflow.name}}": "{{workflow.name}}" } }, scope, LENIENT), {
    labels: { wf: "wf" },
  } as unknown as { labels: { "{{workflow.name}}": string } });
});

Deno.test("replaceTags() ignores spaces around the name in a simple tag", () => {
  assertEquals(replaceTags("{{  workflow.name }}", scope, ALL), "wf");
});

Deno.test("replaceTags() treats a tab within braces as part of the name, because it is an escape in JSON", () => {
  assertEquals(replaceTags("{{\tworkflow.name}}", scope, LENIENT), "{{\tworkflow.name}}");
});

Deno.test("replaceTags() keeps quotes, backslashes and newlines of values", () => {
  assertEquals(replaceTags("<{{quoted}}>", scope, ALL), '<a"b\\c\nd>');
});

Deno.test("replaceTags() does not interpret the value of a tag in the same pass", () => {
  assertEquals(replaceTags("{{tag}}", scope, ALL), "{{workflow.name}}");
});

Deno.test("replaceTags() fills in nested tags from the inside, one level per pass", () => {
  const once = replaceTags("{{inputs.parameters.{{inputs.parameters.k}}}}", scope, LENIENT);
  assertEquals(once, "{{inputs.parameters.x}}");
  assertEquals(replaceTags(once, scope, LENIENT), "v");
});

Deno.test("replaceTags() fails in a simple tag for a value that Go's quoting cannot write as JSON; an expression works", () => {
  assertThrows(() => replaceTags("{{bell}}", scope, LENIENT), TemplateError, "invalid JSON");
  assertEquals(replaceTags("{{=bell}}", scope, LENIENT), "\u0007");
});

Deno.test("replaceTags() keeps, waits for or fails on an unknown simple tag depending on the mode", () => {
  assertEquals(replaceTags("{{foo}}", scope, LENIENT), "{{foo}}");
  assertEquals(replaceTags("{{foo}}", scope, STEPS), "{{foo}}");
  assertEquals(isMissing(ALL, "{{foo}}"), true);
  assertEquals(isMissing(STEPS, "{{steps.a.outputs.result}}"), true);
  assertEquals(isMissing(STEPS, "{{steps}}"), true);
  assertEquals(replaceTags("{{stepsa.x}}", scope, STEPS), "{{stepsa.x}}");
});

Deno.test('replaceTags() keeps references to artifacts in a strict pass, but not in mode "all"', () => {
  assertEquals(replaceTags("{{steps.a.outputs.artifacts.x}}", scope, STEPS), "{{steps.a.outputs.artifacts.x}}");
  assertEquals(isMissing(ALL, "{{steps.a.outputs.artifacts.x}}"), true);
});

Deno.test("replaceTags() fails for an output of a skipped producer in every mode", () => {
  for (const mode of [LENIENT, ALL, STEPS]) {
    assertEquals(isMissing(mode, "{{steps.skipped.outputs.parameters.p}}"), false);
  }
});

Deno.test("replaceTags() lets an expression provide a default for an output of a skipped producer", () => {
  assertEquals(replaceTags("{{=steps.skipped.outputs.parameters.p ?? 'd'}}", scope, STEPS), "d");
});

Deno.test("replaceTags() fails for an expression that does not parse in every mode", () => {
  assertEquals(isMissing(LENIENT, "{{=1 +}}"), false);
});

Deno.test("replaceTags() keeps a failing expression in a lenient pass, and fails in a strict pass if no name is missing", () => {
  assertEquals(replaceTags("{{=asInt('x')}}", scope, LENIENT), "{{=asInt('x')}}");
  assertEquals(isMissing(STEPS, "{{=asInt('x')}}"), false);
  assertEquals(replaceTags("{{=asInt(nowhere)}}", scope, STEPS), "{{=asInt(nowhere)}}");
});

Deno.test("replaceTags() keeps an expression for a step that has not run", () => {
  assertEquals(isMissing(STEPS, "{{=steps.later.outputs.result}}"), true);
});

Deno.test("replaceTags() keeps an expression with a late name even if it could be evaluated", () => {
  for (const text of ["{{=item == nil ? 1 : 2}}", "{{=asInt(retries) + 1}}", "{{=workflow.status == 'Failed'}}"]) {
    assertEquals(replaceTags(text, scope, LENIENT), text);
  }
});

Deno.test("replaceTags() evaluates an expression that handles an absent name", () => {
  assertEquals(replaceTags("{{=workflow.status ?? 'none'}}", scope, LENIENT), "none");
  assertEquals(replaceTags("{{=inputs.parameters.y == nil}}", scope, LENIENT), "true");
});

Deno.test("replaceTags() inserts the result of an expression as text if it is a string, and as JSON otherwise", () => {
  assertEquals(replaceTags("{{=inputs.parameters.x + '!'}}", scope, ALL), "v!");
  assertEquals(replaceTags("{{=asInt(inputs.parameters.n) + 1}}", scope, ALL), "42");
  assertEquals(replaceTags("{{=[1, 'a']}}", scope, ALL), '[1,"a"]');
  assertEquals(replaceTags("{{=['<']}}", scope, ALL), '["\\u003c"]');
});

Deno.test("replaceTags() accepts quotes and comparison signs in an expression within JSON", () => {
  assertEquals(replaceTags('{{=inputs.parameters.x == "v" && 1 < 2}}', scope, ALL), "true");
});

Deno.test("renderText() rejects double quotes in an expression in bare text", () => {
  assertThrows(() => renderText('{{="a"}}', scope, LENIENT), TemplateError);
});

Deno.test("replaceTags() lets an unclosed tag consume the following text, including a later expression", () => {
  const object = { a: "{{oops", b: "{{=1 + 1}}", c: "{{workflow.name}}" };
  assertEquals(replaceTags(object, scope, LENIENT), { a: "{{oops", b: "{{=1 + 1}}", c: "wf" });
});

Deno.test("replaceTags() ignores an expression that fails because of a placeholder", () => {
  const lint = new Map([["inputs.parameters.n", "__argo__internal__placeholder-1"]]);
  assertEquals(replaceTags("{{=asInt(inputs.parameters.n)}}", lint, ALL), "{{=asInt(inputs.parameters.n)}}");
});

Deno.test("replaceTags() does not excuse a failing expression for a placeholder hidden by a longer name", () => {
  const hidden = new Map<string, string>([["a", "__argo__internal__placeholder-1"], ["a.b", "v"]]);
  assertThrows(() => replaceTags("{{=asInt(a.b)}}", hidden, STEPS), TemplateError);
});

Deno.test("replaceTags() treats an expression as an unknown name when expressions are disabled", () => {
  withoutExpressionTags(() => {
    assertEquals(replaceTags("{{=1 + 1}}", scope, LENIENT), "{{=1 + 1}}");
    assertEquals(replaceTags("{{=1 +}}", scope, LENIENT), "{{=1 +}}");
    assertThrows(() => replaceTags("{{=1 + 1}}", scope, ALL), TemplateError, "failed to resolve {{=1 + 1}}");
    assertThrows(() => resolveVariable("{{=1 + 1}}", scope), TemplateError, 'Unable to resolve: "=1 + 1"');
  });
  assertEquals(replaceTags("{{=1 + 1}}", scope, LENIENT), "2");
});

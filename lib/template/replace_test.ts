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

function missing(mode: Mode, text: string): boolean {
  const error = assertThrows(() => replaceTags(text, scope, mode), TemplateError);
  return error.missingVariable;
}

Deno.test("replaceTags() returns the very same object when it has no tags", () => {
  const object = { a: ["x", { b: "}} no tag" }], c: 1, d: null };
  assertStrictEquals(replaceTags(object, scope, LENIENT), object);
});

Deno.test("replaceTags() returns the very same object when no tag could be resolved", () => {
  const object = { a: "{{unknown}}", b: "{{=unknown.too}}" };
  assertStrictEquals(replaceTags(object, scope, LENIENT), object);
});

Deno.test("replaceTags() shares the parts that did not change", () => {
  const object = { changed: "{{workflow.name}}", same: { a: [1] } };
  const filled = replaceTags(object, scope, LENIENT);
  assertEquals(filled, { changed: "wf", same: { a: [1] } });
  assertStrictEquals(filled.same, object.same);
});

Deno.test("a text without tags is read once, however often it is filled in", () => {
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

Deno.test("keys are filled in like values", () => {
  assertEquals(replaceTags({ labels: { "{{workflow.name}}": "{{workflow.name}}" } }, scope, LENIENT), {
    labels: { wf: "wf" },
  } as unknown as { labels: { "{{workflow.name}}": string } });
});

Deno.test("spaces around the name in a simple tag do not matter", () => {
  assertEquals(replaceTags("{{  workflow.name }}", scope, ALL), "wf");
});

Deno.test("a tab within braces is part of the name, because it is an escape in JSON", () => {
  assertEquals(replaceTags("{{\tworkflow.name}}", scope, LENIENT), "{{\tworkflow.name}}");
});

Deno.test("values keep quotes, backslashes and newlines", () => {
  assertEquals(replaceTags("<{{quoted}}>", scope, ALL), '<a"b\\c\nd>');
});

Deno.test("a substituted tag is not read again in the same pass", () => {
  assertEquals(replaceTags("{{tag}}", scope, ALL), "{{workflow.name}}");
});

Deno.test("a nested tag is filled in from the inside, one level a pass", () => {
  const once = replaceTags("{{inputs.parameters.{{inputs.parameters.k}}}}", scope, LENIENT);
  assertEquals(once, "{{inputs.parameters.x}}");
  assertEquals(replaceTags(once, scope, LENIENT), "v");
});

Deno.test("a value that JSON has no escape for in Go's spelling fails in a simple tag and works in an expression", () => {
  assertThrows(() => replaceTags("{{bell}}", scope, LENIENT), TemplateError, "invalid JSON");
  assertEquals(replaceTags("{{=bell}}", scope, LENIENT), "\u0007");
});

Deno.test("an unknown simple tag stays, waits or fails by the mode of the pass", () => {
  assertEquals(replaceTags("{{foo}}", scope, LENIENT), "{{foo}}");
  assertEquals(replaceTags("{{foo}}", scope, STEPS), "{{foo}}");
  assertEquals(missing(ALL, "{{foo}}"), true);
  assertEquals(missing(STEPS, "{{steps.a.outputs.result}}"), true);
  assertEquals(missing(STEPS, "{{steps}}"), true);
  assertEquals(replaceTags("{{stepsa.x}}", scope, STEPS), "{{stepsa.x}}");
});

Deno.test("references to artifacts may stay in a strict pass, not where nothing may", () => {
  assertEquals(replaceTags("{{steps.a.outputs.artifacts.x}}", scope, STEPS), "{{steps.a.outputs.artifacts.x}}");
  assertEquals(missing(ALL, "{{steps.a.outputs.artifacts.x}}"), true);
});

Deno.test("a skipped producer's output fails for good, whatever the mode", () => {
  for (const mode of [LENIENT, ALL, STEPS]) {
    assertEquals(missing(mode, "{{steps.skipped.outputs.parameters.p}}"), false);
  }
});

Deno.test("an expression can give a skipped producer's output a default", () => {
  assertEquals(replaceTags("{{=steps.skipped.outputs.parameters.p ?? 'd'}}", scope, STEPS), "d");
});

Deno.test("an expression that does not parse fails wherever it stands", () => {
  assertEquals(missing(LENIENT, "{{=1 +}}"), false);
});

Deno.test("an expression that fails is left where tags may stay, and fails where nothing is missing in a strict pass", () => {
  assertEquals(replaceTags("{{=asInt('x')}}", scope, LENIENT), "{{=asInt('x')}}");
  assertEquals(missing(STEPS, "{{=asInt('x')}}"), false);
  assertEquals(replaceTags("{{=asInt(nowhere)}}", scope, STEPS), "{{=asInt(nowhere)}}");
});

Deno.test("an expression waits for a step that has not run", () => {
  assertEquals(missing(STEPS, "{{=steps.later.outputs.result}}"), true);
});

Deno.test("an expression is left for names that come late, even where it would have a value", () => {
  for (const text of ["{{=item == nil ? 1 : 2}}", "{{=asInt(retries) + 1}}", "{{=workflow.status == 'Failed'}}"]) {
    assertEquals(replaceTags(text, scope, LENIENT), text);
  }
});

Deno.test("an expression that copes with an absent name does not wait for it", () => {
  assertEquals(replaceTags("{{=workflow.status ?? 'none'}}", scope, LENIENT), "none");
  assertEquals(replaceTags("{{=inputs.parameters.y == nil}}", scope, LENIENT), "true");
});

Deno.test("the result of an expression is text as it is, and JSON otherwise", () => {
  assertEquals(replaceTags("{{=inputs.parameters.x + '!'}}", scope, ALL), "v!");
  assertEquals(replaceTags("{{=asInt(inputs.parameters.n) + 1}}", scope, ALL), "42");
  assertEquals(replaceTags("{{=[1, 'a']}}", scope, ALL), '[1,"a"]');
  assertEquals(replaceTags("{{=['<']}}", scope, ALL), '["\\u003c"]');
});

Deno.test("an expression within JSON may have quotes and comparison signs", () => {
  assertEquals(replaceTags('{{=inputs.parameters.x == "v" && 1 < 2}}', scope, ALL), "true");
});

Deno.test("an expression in bare text cannot have double quotes", () => {
  assertThrows(() => renderText('{{="a"}}', scope, LENIENT), TemplateError);
});

Deno.test("a tag that is never closed swallows what follows, so that a later expression is not one", () => {
  const object = { a: "{{oops", b: "{{=1 + 1}}", c: "{{workflow.name}}" };
  assertEquals(replaceTags(object, scope, LENIENT), { a: "{{oops", b: "{{=1 + 1}}", c: "wf" });
});

Deno.test("a placeholder in scope excuses an expression that fails over it", () => {
  const lint = new Map([["inputs.parameters.n", "__argo__internal__placeholder-1"]]);
  assertEquals(replaceTags("{{=asInt(inputs.parameters.n)}}", lint, ALL), "{{=asInt(inputs.parameters.n)}}");
});

Deno.test("a placeholder that a longer name hides excuses nothing", () => {
  const hidden = new Map<string, string>([["a", "__argo__internal__placeholder-1"], ["a.b", "v"]]);
  assertThrows(() => replaceTags("{{=asInt(a.b)}}", hidden, STEPS), TemplateError);
});

Deno.test("with expressions switched off an expression is an unknown name", () => {
  withoutExpressionTags(() => {
    assertEquals(replaceTags("{{=1 + 1}}", scope, LENIENT), "{{=1 + 1}}");
    assertEquals(replaceTags("{{=1 +}}", scope, LENIENT), "{{=1 +}}");
    assertThrows(() => replaceTags("{{=1 + 1}}", scope, ALL), TemplateError, "failed to resolve {{=1 + 1}}");
    assertThrows(() => resolveVariable("{{=1 + 1}}", scope), TemplateError, 'Unable to resolve: "=1 + 1"');
  });
  assertEquals(replaceTags("{{=1 + 1}}", scope, LENIENT), "2");
});

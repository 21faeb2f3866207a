import { SelectorError } from "@tiphys/base/selector/label_selector";
import { assertEquals, assertThrows } from "@std/assert";
import { matchesLabelSelector, parseFieldSelector } from "./selectors.ts";

const labels = { app: "web", tier: "front", "example.com/done": "" };

for (
  const [selector, expected] of [
    ["", true],
    ["app=web", true],
    ["app==web,tier=front", true],
    ["app = web , tier=back", false],
    ["app!=web", false],
    ["missing!=web", true],
    ["app in (web, api)", true],
    ["app notin (web)", false],
    ["missing notin (web)", true],
    ["app", true],
    ["!app", false],
    ["! missing", true],
    ["example.com/done=", true],
    ["example.com/done in ()", true],
  ] as const
) {
  Deno.test(`matchesLabelSelector() ${expected ? "finds" : "leaves out"} by "${selector}"`, () => {
    assertEquals(matchesLabelSelector(selector, labels), expected);
  });
}

for (const selector of ["app in (web", "=web", "app=we b", "a,,b", "app in web", "app=x/y"]) {
  Deno.test(`matchesLabelSelector() refuses "${selector}"`, () => {
    assertThrows(() => matchesLabelSelector(selector, labels), SelectorError);
  });
}

Deno.test("matchesLabelSelector(): accepts the object form", () => {
  const selector = {
    matchLabels: { app: "web" },
    matchExpressions: [{ key: "tier", operator: "In", values: ["front"] }],
  };
  assertEquals(matchesLabelSelector(selector, labels), true);
  assertEquals(matchesLabelSelector({ matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] }, labels), false);
});

Deno.test("matchesLabelSelector(): ignores properties of Object.prototype", () => {
  assertEquals(matchesLabelSelector("constructor", {}), false);
});

Deno.test("parseFieldSelector(): parses terms with escapes", () => {
  assertEquals(parseFieldSelector(String.raw`metadata.name=a\,b,status.phase!=Running`), [
    { field: "metadata.name", equal: true, value: "a,b" },
    { field: "status.phase", equal: false, value: "Running" },
  ]);
  assertThrows(() => parseFieldSelector("nonsense"), SelectorError);
});

Deno.test("selectors: a selector with more requirements than the limit is rejected, in every form", () => {
  const expressions = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ key: `k${index}`, operator: "DoesNotExist" }));
  const text = (count: number) => expressions(count).map(({ key }) => `!${key}`).join();
  const fields = (count: number) => expressions(count).map(({ key }) => `${key}!=a`).join();
  assertEquals(matchesLabelSelector(text(100), labels), true);
  assertEquals(matchesLabelSelector({ matchExpressions: expressions(100) }, labels), true);
  assertEquals(parseFieldSelector(fields(100)).length, 100);
  const problem = "the selector has 101 requirements, more than the limit of 100";
  assertThrows(() => matchesLabelSelector(text(101), labels), SelectorError, problem);
  assertThrows(() => matchesLabelSelector({ matchExpressions: expressions(101) }, labels), SelectorError, problem);
  assertThrows(() => parseFieldSelector(fields(101)), SelectorError, problem);
});

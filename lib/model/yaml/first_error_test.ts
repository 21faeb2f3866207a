import { assertEquals, assertMatch } from "@std/assert";
import { parseYaml } from "./mod.ts";
import { firstError } from "./first_error.ts";

function errorOf(text: string) {
  const [document] = parseYaml(text);
  return document && firstError(document);
}

Deno.test("firstError: names the most likely cause of a syntax error", () => {
  assertMatch(errorOf('a: "hi\nb: 1\nc:\n- d: "{{x}}"\n')?.message ?? "", /is a quote missing on line 1,/);
  assertMatch(errorOf("a: b: c\n")?.message ?? "", /a text with ": " in it needs quotes$/);
  assertMatch(errorOf("a:\n  image: x\n  image: y\n")?.message ?? "", /: image appears twice$/);
  assertMatch(errorOf("a:\n  b: 1\n\tc: 2\n")?.message ?? "", /Tabs are not allowed as indentation: use spaces$/);
});

Deno.test("firstError: reports an unresolved alias with its position, in a few lines at most", () => {
  assertEquals([errorOf("a: 1\nb: *nope\n")?.line, errorOf("a: &x 1\nb: *x\nc: *nope\n")?.line], [2, 3]);
  assertEquals((errorOf(`a: "${"x".repeat(900)}\nb: "y"\n`)?.message.length ?? 0) < 400, true);
  assertEquals(errorOf("a: 1\n"), undefined);
});

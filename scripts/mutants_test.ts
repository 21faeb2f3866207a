import { assertEquals } from "@std/assert";
import { mutantsOf, sample, testsInOrder } from "./mutants.ts";

Deno.test("mutantsOf: changes operators, conditions and numbers, one at a time, and no types", () => {
  const source = "function f(a: 1 | 2): boolean {\n  if (a > 1) return true;\n  return a === 2 && a ? !a : false;\n}\n";
  const mistakes = mutantsOf("f.ts", source).map(({ line, from, to, text }) =>
    `${line}: ${source.slice(from, to)} -> ${text}`
  );
  assertEquals(mistakes.sort(), [
    "2: 1 -> (1 + 1)",
    "2: > -> >=",
    "2: a > 1 -> !(a > 1)",
    "3: && -> ||",
    "3: 2 -> (2 + 1)",
    "3: === -> !==",
    "3: a === 2 && a -> !(a === 2 && a)",
  ]);
});

Deno.test("sample: returns the same items for the same seed, each once", () => {
  const all = Array.from({ length: 50 }, (_, index) => index);
  assertEquals(sample(all, 10, 3), sample(all, 10, 3));
  assertEquals(new Set(sample(all, 50, 3)).size, 50);
  assertEquals(sample(all, 90, 3).length, 50);
});

Deno.test("testsInOrder: the test next to a source comes first, then those of its folder, then all others", () => {
  const tests = ["a/b/c_test.ts", "a/b/d/e_test.ts", "a/b/x_test.ts", "a/z_test.ts"];
  assertEquals(testsInOrder("a/b/x.ts", tests), [["a/b/x_test.ts"], ["a/b/c_test.ts", "a/b/d/e_test.ts"], [
    "a/z_test.ts",
  ]]);
  assertEquals(testsInOrder("q.ts", ["a/z_test.ts"]), [["a/z_test.ts"]]);
});

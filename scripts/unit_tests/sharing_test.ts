import { assertEquals, assertRejects } from "@std/assert";
import { collectTests, isShared, parsePrefix, prefixOf } from "./sharing.ts";

Deno.test("collectTests: returns the tests of every form of Deno.test, without registering them", async () => {
  const fn = () => {};
  const { test } = Deno;
  const tests = await collectTests(() => {
    Deno.test("a", fn);
    Deno.test("b", { sanitizeOps: false }, fn);
    Deno.test({ name: "c", fn, ignore: true });
    Deno.test({ name: "d" }, fn);
    Deno.test(function e() {});
    Deno.test.ignore("f", fn);
    return Promise.resolve();
  });
  assertEquals(tests.map(({ name }) => name).join(" "), "a b c d e f");
  assertEquals(tests[1]?.sanitizeOps, false);
  assertEquals(tests.filter(({ ignore }) => ignore).map(({ name }) => name), ["c", "f"]);
  assertEquals(Deno.test, test);
});

Deno.test("collectTests: restores Deno.test after a file that cannot be loaded", async () => {
  const { test } = Deno;
  await assertRejects(() => collectTests(() => Promise.reject(new Error("no module"))), Error, "no module");
  assertEquals(Deno.test, test);
});

Deno.test("prefixOf: parsePrefix returns the file, the number of its tests, and the name", () => {
  const name = "batch (2): runs";
  assertEquals(parsePrefix(`${prefixOf("lib/a_test.ts", 12)}${name}`), { file: "lib/a_test.ts", tests: 12, name });
  assertEquals(parsePrefix(name), undefined);
});

Deno.test("isShared: false for long tests, files with examples and separate ones, true for all other tests", () => {
  assertEquals(["cli/program_test.ts", "ui/pages/pages_test.tsx"].map(isShared), [true, true]);
  assertEquals(
    ["server/page/page_test.ts", "lib/base/README.md", "tests/hostile/costs/costs_test.ts"].filter(isShared),
    [],
  );
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { judgeImport, judgePackage, judgeText } from "./import_rules.ts";

const ALLOWED: readonly [rule: string, from: string, to: string][] = [
  ["a program stands on lib", "controller/mod.ts", "lib/kube/mod.ts"],
  ["a program uses its own files", "controller/mod.ts", "controller/engine/decide.ts"],
  ["a leaf uses the leaves it stands on", "lib/pod/mod.ts", "lib/template/mod.ts"],
  ["every leaf uses the files of lib itself", "lib/template/tag.ts", "lib/constants.ts"],
  ["the CLI embeds the controller", "cli/run.ts", "controller/mod.ts"],
  ["the test kit runs the engine", "simulate/simulate.ts", "controller/engine/mod.ts"],
  ["a test beside its source imports anything", "lib/pod/mod_test.ts", "controller/mod.ts"],
  ["tests import anything", "tests/e2e/main.ts", "scripts/command.ts"],
];

for (const [rule, from, to] of ALLOWED) {
  Deno.test(`judgeImport() lets stand: ${rule}`, () => assertEquals(judgeImport(from, to), undefined));
}

const REFUSED: readonly [rule: string, from: string, to: string, words: string][] = [
  ["lib knows no program", "lib/pod/mod.ts", "controller/mod.ts", "knows no program"],
  ["programs do not know each other", "executor/main.ts", "controller/mod.ts", "may not know"],
  ["the CLI does not reach into the engine", "cli/run.ts", "controller/engine/decide.ts", "may not know"],
  ["the test kit knows nothing else of the controller", "simulate/x.ts", "controller/mod.ts", "may not know"],
  ["a leaf does not use one above it", "lib/template/mod.ts", "lib/api/mod.ts", "stands on go only"],
  ["a new leaf must be described", "lib/queue/mod.ts", "lib/go/mod.ts", "new leaf"],
  ["nothing imports tests", "controller/mod.ts", "tests/command.ts", "nothing imports tests"],
  ["programs do not run scripts", "cli/run.ts", "scripts/build.ts", "programs do not run"],
];

for (const [rule, from, to, words] of REFUSED) {
  Deno.test(`judgeImport() refuses: ${rule}`, () => assertStringIncludes(judgeImport(from, to) ?? "", words));
}

Deno.test("judgePackage() wants packages named in deno.json, and no node: modules where browsers run", () => {
  assertStringIncludes(judgePackage("cli/main.ts", "npm:commander@15.1.0") ?? "", "deno.json");
  assertStringIncludes(judgePackage("lib/template/mod.ts", "node:fs") ?? "", "browsers");
  assertEquals(judgePackage("cli/main.ts", "commander"), undefined);
});

Deno.test("judgeText() finds Deno in a leaf for browsers, but not in its comments", () => {
  assertStringIncludes(judgeText("lib/go/x.ts", "const a = Deno.cwd();") ?? "", "browsers");
  assertEquals(judgeText("lib/go/x.ts", "// not Deno.cwd()\n * nor Deno.cwd()\n"), undefined);
});

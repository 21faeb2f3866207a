import { assertEquals } from "@std/assert";
import { checkExports } from "./check_exports.ts";

function problemsOfSources(
  files: Readonly<Record<string, string>>,
  exceptions: Readonly<Record<string, string>> = {},
): string[] {
  return checkExports(new Map(Object.entries(files)), exceptions);
}

const MAKER = "export function make(): void {}\nexport const made = 1;\n/** make and made. */\n";

Deno.test("checkExports: reports a value that only tests import", () => {
  const test = 'import { made, make } from "./maker.ts";\n';
  const files = {
    "lib/maker.ts": MAKER,
    "lib/maker_test.ts": test,
    "tests/a.ts": 'import { make } from "../lib/maker.ts";\n',
  };
  assertEquals(problemsOfSources(files), [
    "lib/maker.ts: exports make, which no program uses",
    "lib/maker.ts: exports made, which no program uses",
  ]);
});

Deno.test("checkExports: accepts a value that a program imports, also through re-exports", () => {
  const all = { "lib/maker.ts": MAKER, "lib/mod.ts": 'export * from "./maker.ts";\n' };
  assertEquals(problemsOfSources({ ...all, "cli/a.ts": 'import { made, make } from "../lib/mod.ts";\n' }), []);
  const renamed = { "lib/maker.ts": MAKER, "lib/mod.ts": 'export { make as build, made } from "./maker.ts";\n' };
  assertEquals(problemsOfSources({ ...renamed, "cli/a.ts": 'import { build as b } from "../lib/mod.ts";\n' }), [
    "lib/maker.ts: exports made, which no program uses",
  ]);
  assertEquals(problemsOfSources({ ...all, "cli/a.ts": 'import * as maker from "../lib/mod.ts";\n' }), []);
  assertEquals(
    problemsOfSources({ ...all, "cli/a.ts": 'const { make: m, made } = await import("../lib/maker.ts");\n' }),
    [],
  );
});

Deno.test("checkExports: distinguishes values of the same name in different files", () => {
  const twin = {
    "lib/maker.ts": "export function make(): void {}\n",
    "lib/twin.ts": "export function make(): void {}\n",
  };
  assertEquals(problemsOfSources({ ...twin, "cli/a.ts": 'import { make } from "../lib/twin.ts";\n' }), [
    "lib/maker.ts: exports make, which no program uses",
  ]);
});

Deno.test("checkExports: accepts a value that its own file uses, or that is public", () => {
  assertEquals(problemsOfSources({ "lib/maker.ts": "export const most = 3;\nprint(most);\n" }), []);
  assertEquals(
    problemsOfSources({ "lib/model/api/mod.ts": 'export * from "./maker.ts";\n', "lib/model/api/maker.ts": MAKER }),
    [],
  );
});

Deno.test("checkExports: reports an unnecessary exception", () => {
  const file = { "lib/maker.ts": "export const made = 1;\n" };
  assertEquals(problemsOfSources(file, { "lib/maker.ts made": "for tests" }), []);
  assertEquals(
    problemsOfSources({ ...file, "cli/a.ts": 'import { made } from "../lib/maker.ts";\n' }, {
      "lib/maker.ts made": "x",
    }),
    [
      "scripts/check_exports.ts: lib/maker.ts made needs no exception",
    ],
  );
});

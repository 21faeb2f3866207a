import { VERSION } from "@tiphys/base/version";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  FOLDERS,
  judgeBrowserPackage,
  judgeBrowserText,
  judgeEntryPoint,
  judgeFolders,
  judgeImport,
  judgePackage,
  judgeText,
  PACKAGES,
} from "./import_rules.ts";
import { PACKAGE_NAMES } from "./packages.ts";

const ALLOWED: readonly [rule: string, from: string, to: string][] = [
  ["a program stands on lib", "controller/mod.ts", "lib/kube/mod.ts"],
  ["a program uses its own files", "controller/mod.ts", "controller/workflow/kind.ts"],
  ["a package uses those it stands on", "lib/engine/pod/mod.ts", "lib/language/template/mod.ts"],
  ["the CLI embeds the controller", "cli/run.ts", "controller/mod.ts"],
  ["the test kit runs the engine", "simulate/simulate.ts", "lib/engine/mod.ts"],
  ["a test next to its source imports anything", "lib/engine/pod/mod_test.ts", "controller/mod.ts"],
  ["a file that serves tests uses another one", "executor/testing/process.ts", "lib/base/clock/testing/fake_clock.ts"],
  ["tests import anything", "tests/e2e/main.ts", "scripts/command.ts"],
];

for (const [rule, from, to] of ALLOWED) {
  Deno.test(`judgeImport: allows ${rule}`, () => assertEquals(judgeImport(from, to), undefined));
}

const REFUSED: readonly [rule: string, from: string, to: string, words: string][] = [
  ["lib knows no program", "lib/engine/pod/mod.ts", "controller/mod.ts", "knows no program"],
  ["programs do not know each other", "executor/main.ts", "controller/mod.ts", "may not know"],
  ["the CLI does not reach into the controller", "cli/run.ts", "controller/workflow/kind.ts", "may not know"],
  ["the test kit knows nothing of the controller", "simulate/x.ts", "controller/mod.ts", "may not know"],
  [
    "a package does not use one above it",
    "lib/model/api/mod.ts",
    "lib/language/template/mod.ts",
    "lib/model may import",
  ],
  ["a new package must be described", "lib/queue/mod.ts", "lib/base/go/mod.ts", "new package"],
  ["the loop knows no kind", "controller/loop/loop.ts", "controller/workflow/kind.ts", "may import lib only"],
  ["no kind knows another", "controller/cron/start.ts", "controller/workflow/kind.ts", "may import loop"],
  ["nothing imports upward", "controller/workflow/kind.ts", "controller/start.ts", "from loop or lib"],
  [
    "observing writes nothing",
    "controller/workflow/observe/ledger.ts",
    "controller/workflow/record/record.ts",
    "may import",
  ],
  [
    "loading knows nothing of the command",
    "executor/before_main/stage.ts",
    "executor/command/emissary.ts",
    "may import",
  ],
  ["a folder does not import its assembly", "server/workflows/list.ts", "server/start.ts", "may import"],
  ["a new folder must be described", "server/queue/queue.ts", "server/wire/json.ts", "new folder"],
  ["nodes know no template", "lib/engine/nodes/node_table.ts", "lib/engine/templates/dag.ts", "may import spec"],
  ["nothing imports tests", "controller/mod.ts", "tests/command.ts", "nothing imports tests"],
  ["a program does not use what serves tests", "executor/main.ts", "executor/testing/world.ts", "no part of a program"],
  ["programs do not run scripts", "cli/run.ts", "scripts/build.ts", "programs do not run"],
];

for (const [rule, from, to, words] of REFUSED) {
  Deno.test(`judgeImport: rejects ${rule}`, () => assertStringIncludes(judgeImport(from, to) ?? "", words));
}

Deno.test("PACKAGES: has each package of the workspace, and no dependency in the reverse direction", () => {
  assertEquals(Object.keys(PACKAGES).toSorted(), PACKAGE_NAMES);
  const known = new Set<string>();
  for (const [name, allowed] of Object.entries(PACKAGES)) {
    assertEquals(allowed.filter((place) => !known.has(place.split("/")[0]!)), [], name);
    known.add(name);
  }
});

Deno.test("FOLDERS: no folder imports one that imports it, directly or not", () => {
  for (const [place, { folders }] of Object.entries(FOLDERS)) {
    const known = new Set<string>();
    const isKnown = ([, allowed]: readonly [string, readonly string[]]) => allowed.every((name) => known.has(name));
    for (let rest = Object.entries(folders); rest.length > 0; rest = rest.filter(([name]) => !known.has(name))) {
      const free = rest.filter(isKnown);
      assert(free.length > 0, `${place}: ${rest.map(([name]) => name)} import each other`);
      for (const [name] of free) known.add(name);
    }
  }
});

Deno.test("packages: have the version of the release", () => {
  for (const name of PACKAGE_NAMES) {
    const { version } = JSON.parse(Deno.readTextFileSync(new URL(`../lib/${name}/deno.json`, import.meta.url)));
    assertEquals(version, VERSION, name);
  }
});

Deno.test("judgeEntryPoint: a package is imported by its name, and its own files by relative paths", () => {
  const to = "lib/base/go/mod.ts";
  assertEquals(judgeEntryPoint("cli/main.ts", "@tiphys/base/go", to), undefined);
  assertStringIncludes(judgeEntryPoint("cli/main.ts", "../lib/base/go/mod.ts", to) ?? "", "belongs to @tiphys/base");
  assertEquals(judgeEntryPoint("lib/base/log.ts", "./go/mod.ts", to), undefined);
  assertStringIncludes(judgeEntryPoint("lib/base/log.ts", "@tiphys/base/go", to) ?? "", "relative paths");
  assertEquals(judgeEntryPoint("cli/main_test.ts", "../lib/base/go/mod.ts", to), undefined);
});

Deno.test("judgePackage: requires packages to be listed in deno.json", () => {
  assertStringIncludes(judgePackage("cli/main.ts", "npm:commander@15.1.0") ?? "", "deno.json");
  assertEquals(judgePackage("cli/main.ts", "commander"), undefined);
});

Deno.test("judgeText: rejects Kubernetes clients in commands", () => {
  const text = 'import type { KubeClient } from "@tiphys/kube";';
  assertStringIncludes(judgeText("cli/commands/get.ts", text) ?? "", "WorkflowService");
  assertEquals(judgeText("cli/connect/connect.ts", text), undefined);
  assertEquals(judgeText("lib/service/change.ts", text), undefined);
});

Deno.test("judgeBrowserPackage: rejects node: modules and unlisted packages", () => {
  assertStringIncludes(judgeBrowserPackage("node:fs") ?? "", "browsers");
  assertStringIncludes(judgeBrowserPackage("@kubernetes/client-node") ?? "", "browsers");
  assertStringIncludes(judgeBrowserPackage("yamlx") ?? "", "browsers");
  assertEquals(judgeBrowserPackage("zod"), undefined);
  assertEquals(judgeBrowserPackage("@noble/hashes/sha2.js"), undefined);
});

Deno.test("judgeBrowserText: finds Deno, but not in comments", () => {
  assertStringIncludes(judgeBrowserText("const a = Deno.cwd();") ?? "", "browsers");
  assertEquals(judgeBrowserText("// not Deno.cwd()\n * nor Deno.cwd()\n"), undefined);
});

Deno.test("judgeFolders: rejects sibling folders that import each other", () => {
  const both = new Map([["cli/a/x.ts", ["cli/b/y.ts"]], ["cli/b/z.ts", ["cli/a/w.ts"]]]);
  assertEquals(judgeFolders(both), ["cli/a <-> cli/b: the folders import each other"]);
  assertEquals(judgeFolders(new Map([["cli/a/x.ts", ["cli/b/y.ts"]]])), []);
  const within = new Map([["cli/x.ts", ["cli/a/y.ts"]], ["cli/a/y.ts", ["cli/z.ts"]]]);
  assertEquals(judgeFolders(within), []);
});

Deno.test("judgeFolders: ignores tests", () => {
  const tested = new Map([["cli/a/x_test.ts", ["cli/b/y.ts"]], ["cli/b/z.ts", ["cli/a/w.ts"]]]);
  assertEquals(judgeFolders(tested), []);
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkImports, findCycles, readImports } from "./check_imports.ts";

Deno.test("readImports: resolves relative imports and separates packages", () => {
  const text =
    `import { z } from "zod";\nimport {\n  a,\n  b,\n} from "../kube/mod.ts";\nexport * from "./own.ts";\nimport "./effect.ts";\n`;
  assertEquals(readImports("lib/model/api/mod.ts", text, { dynamic: true }), {
    files: ["lib/model/kube/mod.ts", "lib/model/api/own.ts", "lib/model/api/effect.ts"],
    specifiers: ["../kube/mod.ts", "./own.ts", "./effect.ts"],
    packages: ["zod"],
  });
});

Deno.test("readImports: resolves the name of a workspace package to its file", () => {
  const { files, packages } = readImports("cli/main.ts", `import { a } from "@tiphys/base/go";`, { dynamic: true });
  assertEquals({ files, packages }, { files: ["lib/base/go/mod.ts"], packages: [] });
});

Deno.test("readImports: includes dynamic imports on request", () => {
  const text = `const client = await import("./client.ts");`;
  assertEquals(readImports("lib/x.ts", text, { dynamic: true }).files, ["lib/client.ts"]);
  assertEquals(readImports("lib/x.ts", text, { dynamic: false }).files, []);
});

Deno.test("findCycles: returns the path of a cycle, and nothing for two paths to one file", () => {
  assertEquals(findCycles(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), [["b", "c", "b"]]);
  assertEquals(findCycles(new Map([["a", ["b", "c"]], ["b", ["d"]], ["c", ["d"]], ["d", []]])), []);
});

Deno.test("checkImports: names the file, the import and the rule", () => {
  const complaints = checkImports(new Map([["lib/base/go/mod.ts", `import { x } from "../../../controller/mod.ts";`]]));
  assertEquals(complaints, ["lib/base/go/mod.ts: imports controller/mod.ts: lib knows no program"]);
});

Deno.test("checkImports: rejects a package that the executor loads at its start, but not one that it loads on demand", () => {
  const executor = `import { run } from "./run.ts";\nimport type { Api } from "zod";`;
  const eager = new Map([["executor/main.ts", executor], ["executor/run.ts", `import { z } from "zod";`]]);
  const lazy = new Map([["executor/main.ts", executor], ["executor/run.ts", `const z = await import("zod");`]]);
  assertStringIncludes(checkImports(eager).join(), "at each start");
  assertEquals(checkImports(lazy), []);
});

Deno.test("checkImports: the command line loads its few packages at its start, and no others", () => {
  const cli = (name: string) => checkImports(new Map([["cli/main.ts", `import { x } from "${name}";`]])).join();
  assertEquals(cli("commander"), "");
  assertStringIncludes(cli("yaml"), "at each start");
});

Deno.test("checkImports: finds APIs that browsers lack in all code that runs there, also through dynamic imports", () => {
  const yaml = `import { x } from "./x.ts";\nimport type { Y } from "./only_types.ts";\nconst z = import("./z.ts");`;
  const complaints = checkImports(
    new Map([
      ["lib/model/yaml/mod.ts", yaml],
      ["lib/model/yaml/x.ts", `import { readFileSync } from "node:fs";`],
      ["lib/model/yaml/only_types.ts", "export type Y = 1;\nDeno.exit();"],
      ["lib/model/yaml/z.ts", "Deno.cwd();"],
    ]),
  );
  assertEquals(complaints, [
    'lib/model/yaml/x.ts: imports "node:fs", and is loaded by what runs in browsers: browsers have no node: modules',
    "lib/model/yaml/z.ts: uses Deno, and is loaded by what runs in browsers: browsers have no Deno",
  ]);
});

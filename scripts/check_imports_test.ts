import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkImports, findCycles, readImports } from "./check_imports.ts";

Deno.test("readImports() resolves relative imports from the importing file and keeps packages apart", () => {
  const text =
    `import { z } from "zod";\nimport {\n  a,\n  b,\n} from "../kube/mod.ts";\nexport * from "./own.ts";\nimport "./effect.ts";\n`;
  assertEquals(readImports("lib/api/mod.ts", text, { dynamic: true }), {
    files: ["lib/kube/mod.ts", "lib/api/own.ts", "lib/api/effect.ts"],
    packages: ["zod"],
  });
});

Deno.test("readImports() counts a dynamic import when it is asked to", () => {
  const text = `const client = await import("./client.ts");`;
  assertEquals(readImports("lib/x.ts", text, { dynamic: true }).files, ["lib/client.ts"]);
  assertEquals(readImports("lib/x.ts", text, { dynamic: false }).files, []);
});

Deno.test("findCycles() gives the way around a cycle, and nothing for two ways to one file", () => {
  assertEquals(findCycles(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), [["b", "c", "b"]]);
  assertEquals(findCycles(new Map([["a", ["b", "c"]], ["b", ["d"]], ["c", ["d"]], ["d", []]])), []);
});

Deno.test("checkImports() names the file, the import and the rule", () => {
  const complaints = checkImports(new Map([["lib/go/mod.ts", `import { x } from "../../controller/mod.ts";`]]));
  assertEquals(complaints, ["lib/go/mod.ts: imports controller/mod.ts: lib knows no program"]);
});

Deno.test("checkImports() refuses a package that the executor would load at its start, but not one it loads when needed", () => {
  const executor = `import { run } from "./run.ts";\nimport type { Api } from "zod";`;
  const eager = new Map([["executor/main.ts", executor], ["executor/run.ts", `import { z } from "zod";`]]);
  const lazy = new Map([["executor/main.ts", executor], ["executor/run.ts", `const z = await import("zod");`]]);
  assertStringIncludes(checkImports(eager).join(), "in every container");
  assertEquals(checkImports(lazy), []);
});

Deno.test("checkImports() follows what runs in browsers to what those have not, also behind types and later imports", () => {
  const yaml =
    `import { x } from "../go/x.ts";\nimport type { Y } from "../go/only_types.ts";\nconst z = import("../go/z.ts");`;
  const complaints = checkImports(
    new Map([
      ["lib/yaml/mod.ts", yaml],
      ["lib/go/x.ts", `import { readFileSync } from "node:fs";`],
      ["lib/go/only_types.ts", "export type Y = 1;\nDeno.exit();"],
      ["lib/go/z.ts", "Deno.cwd();"],
    ]),
  );
  assertEquals(complaints, [
    'lib/go/x.ts: imports "node:fs", and is loaded by what runs in browsers: browsers have no node: modules',
    "lib/go/z.ts: uses Deno, and is loaded by what runs in browsers: browsers have no Deno",
  ]);
});

import { assertEquals, assertThrows } from "@std/assert";
import { withLibraries } from "./libraries.ts";

Deno.test("withLibraries: a library exports all imported names, and is imported once, at the start", () => {
  const { scripts, names } = withLibraries(
    new Map([
      [
        "page.js",
        'var a = 1;\nimport { isMap, Scalar } from "yaml";\nimport { isMap as isMap2 } from "yaml";\nisMap2(a);\n',
      ],
      ["lint.js", 'import { RE2JS } from "re2js";\nimport { Lexer } from "yaml";\nimport { b } from "./b.js";\n'],
      ["b.js", "export { b };\n"],
    ]),
    ["yaml", "re2js"],
  );
  assertEquals([...scripts], [
    ["page.js", 'import { isMap, Scalar, isMap as isMap2 } from "./yaml.js";\nvar a = 1;\n\n\nisMap2(a);\n'],
    [
      "lint.js",
      'import { RE2JS } from "./re2js.js";\nimport { Lexer } from "./yaml.js";\n\n\nimport { b } from "./b.js";\n',
    ],
    ["b.js", "export { b };\n"],
  ]);
  assertEquals([...names], [["yaml", ["Lexer", "Scalar", "isMap"]], ["re2js", ["RE2JS"]]]);
});

Deno.test("withLibraries: refuses namespace and dynamic imports of a library", () => {
  for (const text of ['import * as all from "yaml";', 'const { a } = await import("yaml");', 'import "yaml";']) {
    assertThrows(() => withLibraries(new Map([["a.js", text]]), ["yaml"]), Error, "a.js: unsupported import of yaml");
  }
});

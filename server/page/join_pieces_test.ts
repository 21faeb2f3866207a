import { assertEquals } from "@std/assert";
import { withLoadedImports } from "./join_pieces.ts";

/** The imports that are added to each script. */
function addedImports(scripts: Readonly<Record<string, string>>): Record<string, string> {
  const all = new Map(Object.entries(scripts));
  return Object.fromEntries(
    [...withLoadedImports(all, "main.js")].flatMap(([file, text]) => {
      const own = all.get(file)!;
      if (text === own) return [];
      const added = text.slice(0, text.length - own.length);
      return [[file, [...added.matchAll(/^import "\.\/([\w.-]+)";\n/gm)].map(([, name]) => name).join(" ")]];
    }),
  );
}

Deno.test("withLoadedImports: a dynamically imported script imports its importer", () => {
  assertEquals(
    addedImports({
      "main.js": 'import { a } from "./shared.js";\nimport("./run.js");',
      "shared.js": "export { a };",
      "run.js": 'import { a } from "./shared.js";\nimport("./log.js");',
      "log.js": "export { log };",
    }),
    { "run.js": "main.js", "log.js": "run.js" },
  );
});

Deno.test("withLoadedImports: uses only scripts that are loaded on every path", () => {
  assertEquals(
    addedImports({
      "main.js": 'import("./run.js"); import("./list.js");',
      "run.js": 'import("./dialog.js");',
      "list.js": 'import("./dialog.js");',
      "dialog.js": 'import("./part.js");',
      "part.js": "",
    }),
    { "run.js": "main.js", "list.js": "main.js", "dialog.js": "main.js", "part.js": "dialog.js" },
  );
});

Deno.test("withLoadedImports: finds dynamic imports in static imports", () => {
  assertEquals(
    addedImports({
      "main.js": 'import("./run.js");',
      "run.js": 'import "./piece.js";',
      "piece.js": 'import("./log.js");',
      "log.js": 'import("./run.js");',
    }),
    { "run.js": "main.js", "log.js": "run.js" },
  );
});

Deno.test("withLoadedImports: the first script imports small shared pieces with their dependencies", () => {
  const large = "x".repeat(2_000);
  assertEquals(
    addedImports({
      "main.js": 'import "./there.js"; import("./run.js"); import("./list.js");',
      "run.js": 'import "./small.js"; import "./heavy.js"; import "./own.js";',
      "list.js": 'import "./small.js"; import "./heavy.js";',
      "small.js": 'import "./there.js";',
      "there.js": large,
      "heavy.js": 'import "./large.js";',
      "large.js": large,
      "own.js": "",
    }),
    { "main.js": "small.js", "run.js": "main.js", "list.js": "main.js" },
  );
});

Deno.test("withLoadedImports: counts a shared dependency of small pieces once", () => {
  const max = "x".repeat(1_000);
  assertEquals(
    addedImports({
      "main.js": 'import("./run.js"); import("./list.js");',
      "run.js": 'import "./one.js";',
      "list.js": 'import "./one.js"; import "./base.js";',
      "one.js": `import "./base.js";${max}`,
      "base.js": max,
    }),
    { "main.js": "base.js one.js", "run.js": "main.js", "list.js": "main.js" },
  );
});

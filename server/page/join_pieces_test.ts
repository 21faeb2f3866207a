import { assertEquals } from "@std/assert";
import { withWhatIsThere } from "./join_pieces.ts";

/** Which file each of the scripts begins to import. */
function begun(scripts: Readonly<Record<string, string>>): Record<string, string> {
  const all = new Map(Object.entries(scripts));
  return Object.fromEntries(
    [...withWhatIsThere(all, "main.js")].flatMap(([file, text]) => {
      const own = all.get(file)!;
      if (text === own) return [];
      const added = text.slice(0, text.length - own.length);
      return [[file, [...added.matchAll(/^import "\.\/([\w.-]+)";\n/gm)].map(([, name]) => name).join(" ")]];
    }),
  );
}

Deno.test("withWhatIsThere() lets a script that is asked for import the one that asked", () => {
  assertEquals(
    begun({
      "main.js": 'import { a } from "./shared.js";\nimport("./run.js");',
      "shared.js": "export { a };",
      "run.js": 'import { a } from "./shared.js";\nimport("./log.js");',
      "log.js": "export { log };",
    }),
    { "run.js": "main.js", "log.js": "run.js" },
  );
});

Deno.test("withWhatIsThere() takes of several ways to a script what all of them have", () => {
  assertEquals(
    begun({
      "main.js": 'import("./run.js"); import("./list.js");',
      "run.js": 'import("./dialog.js");',
      "list.js": 'import("./dialog.js");',
      "dialog.js": 'import("./part.js");',
      "part.js": "",
    }),
    { "run.js": "main.js", "list.js": "main.js", "dialog.js": "main.js", "part.js": "dialog.js" },
  );
});

Deno.test("withWhatIsThere() sees what is asked for by the pieces that a script imports", () => {
  assertEquals(
    begun({
      "main.js": 'import("./run.js");',
      "run.js": 'import "./piece.js";',
      "piece.js": 'import("./log.js");',
      "log.js": 'import("./run.js");',
    }),
    { "run.js": "main.js", "log.js": "run.js" },
  );
});

Deno.test("withWhatIsThere() lets the first script import small pieces that several share, with what they bring along", () => {
  const large = "x".repeat(2_000);
  assertEquals(
    begun({
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

Deno.test("withWhatIsThere() counts a small piece that several share once, whoever brings it along", () => {
  const most = "x".repeat(1_000);
  assertEquals(
    begun({
      "main.js": 'import("./run.js"); import("./list.js");',
      "run.js": 'import "./one.js";',
      "list.js": 'import "./one.js"; import "./base.js";',
      "one.js": `import "./base.js";${most}`,
      "base.js": most,
    }),
    { "main.js": "base.js one.js", "run.js": "main.js", "list.js": "main.js" },
  );
});

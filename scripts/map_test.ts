import { assertEquals, assertStringIncludes } from "@std/assert";
import { firstSentence, isMapped, mapOf, missingFiles } from "./map.ts";

Deno.test("mapOf: shows folders with their purpose, and files with their first sentence", () => {
  const { map, silent } = mapOf([
    { path: "lib/b/two.ts", text: "/** The second thing. More about it. */\nexport {};" },
    { path: "lib/b/mod.ts", text: "/**\n * A folder of\n * things.\n *\n * - two.ts\n */" },
    { path: "lib/a.ts", text: "import './b/mod.ts';\n/** One thing: it is first. */" },
  ]);
  assertEquals(silent, []);
  assertStringIncludes(
    map,
    "## lib\n\n- `a.ts`: One thing: it is first.\n\n## lib/b\n\nA folder of things.\n\n- `two.ts`: The second thing.\n",
  );
});

Deno.test("mapOf: lists the files without a sentence about their content", () => {
  const files = [
    { path: "a/b.ts", text: "export const x = 1;" },
    { path: "a/c.ts", text: "/** What it is. */" },
    { path: "a/d.ts", text: "/** Whatever else. */" },
  ];
  assertEquals(mapOf(files).silent, ["a/b.ts", "a/c.ts"]);
});

Deno.test("mapOf: uses the README of a folder as its header, and lists folders of several files without one", () => {
  const readme = { path: "a/README.md", text: "# a\n\nThings of\none kind.\n\nMore.\n" };
  const three = ["b", "c", "d"].map((name) => ({ path: `a/${name}.ts`, text: `/** Thing ${name}. */` }));
  assertEquals(mapOf(three).headless, ["a"]);
  assertEquals(mapOf([readme, ...three]).headless, []);
  assertStringIncludes(mapOf([readme, ...three]).map, "## a\n\nThings of one kind.\n\n- `b.ts`: Thing b.\n");
});

Deno.test("firstSentence: ends with the first period that is not within a name", () => {
  assertEquals(firstSentence("/** What v1.2 of `a.ts` says. Then more. */"), "What v1.2 of `a.ts` says.");
  assertEquals(firstSentence("/** Without a full stop */"), "Without a full stop.");
  assertEquals(firstSentence("/**\n * Over two\n * lines.\n */"), "Over two lines.");
  assertEquals(firstSentence("// no comment of its own\nconst a = 1;"), undefined);
});

Deno.test("missingFiles: returns the files in a header that do not exist", () => {
  const header = "/** a.ts, lib/b/c.ts, moved.ts */\nimport './d.ts';";
  assertEquals(missingFiles(header, (name) => name === "a.ts" || name === "lib/b/c.ts"), ["moved.ts"]);
});

Deno.test("isMapped: excludes tests, benchmarks and generated files", () => {
  const paths = ["a/b.ts", "a/b_test.ts", "a/b_bench.ts", "a/gen/c.ts", "a/testdata/d.ts", "a/e.yaml"];
  assertEquals(paths.filter(isMapped), ["a/b.ts"]);
});

Deno.test("mapOf: keeps the text of a link within a folder, and URLs as links", () => {
  const readme = { path: "a/b/README.md", text: "# b\n\nWhat [c](../c.md#d) leaves; see [e](https://e.example/f).\n" };
  assertStringIncludes(mapOf([readme]).map, "\nWhat c leaves; see [e](https://e.example/f).\n");
});

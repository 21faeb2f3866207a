import { assertEquals, assertStringIncludes } from "@std/assert";
import { firstSentence, goneFiles, isMapped, mapOf } from "./map.ts";

Deno.test("mapOf() shows folders, what each is for, and its files in the words that they begin with", () => {
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

Deno.test("mapOf() names the files that do not say what they hold", () => {
  const files = [
    { path: "a/b.ts", text: "export const x = 1;" },
    { path: "a/c.ts", text: "/** What it is. */" },
    { path: "a/d.ts", text: "/** Whatever else. */" },
  ];
  assertEquals(mapOf(files).silent, ["a/b.ts", "a/c.ts"]);
});

Deno.test("mapOf() takes the README of a folder for its header, and names folders of several files that have none", () => {
  const readme = { path: "a/README.md", text: "# a\n\nThings of\none kind.\n\nMore.\n" };
  const three = ["b", "c", "d"].map((name) => ({ path: `a/${name}.ts`, text: `/** Thing ${name}. */` }));
  assertEquals(mapOf(three).headless, ["a"]);
  assertEquals(mapOf([readme, ...three]).headless, []);
  assertStringIncludes(mapOf([readme, ...three]).map, "## a\n\nThings of one kind.\n\n- `b.ts`: Thing b.\n");
});

Deno.test("firstSentence() ends with the first full stop that is no part of a name", () => {
  assertEquals(firstSentence("/** What v1.2 of `a.ts` says. Then more. */"), "What v1.2 of `a.ts` says.");
  assertEquals(firstSentence("/** Without a full stop */"), "Without a full stop.");
  assertEquals(firstSentence("/**\n * Over two\n * lines.\n */"), "Over two lines.");
  assertEquals(firstSentence("// no comment of its own\nconst a = 1;"), undefined);
});

Deno.test("goneFiles() names the files in a header that are nowhere", () => {
  const header = "/** a.ts, lib/b/c.ts, moved.ts */\nimport './d.ts';";
  assertEquals(goneFiles(header, (name) => name === "a.ts" || name === "lib/b/c.ts"), ["moved.ts"]);
});

Deno.test("isMapped() leaves out tests, benchmarks and generated files", () => {
  const paths = ["a/b.ts", "a/b_test.ts", "a/b_bench.ts", "a/gen/c.ts", "a/testdata/d.ts", "a/e.yaml"];
  assertEquals(paths.filter(isMapped), ["a/b.ts"]);
});

Deno.test("mapOf() takes the words of a link within a folder, and leaves addresses as links", () => {
  const readme = { path: "a/b/README.md", text: "# b\n\nWhat [c](../c.md#d) leaves; see [e](https://e.example/f).\n" };
  assertStringIncludes(mapOf([readme]).map, "\nWhat c leaves; see [e](https://e.example/f).\n");
});

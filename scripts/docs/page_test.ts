import { assertEquals } from "@std/assert";
import { readPage } from "./page.ts";

Deno.test("readPage: returns links with their lines, except links in code", () => {
  const page = readPage("docs/a.md", "[one](b.md#c)\n`[two](d.md)`\n\n```md\n[three](e.md)\n```\n![four](f.png)");
  assertEquals(page.links, [{ line: 1, text: "b.md#c" }, { line: 7, text: "f.png" }]);
});

Deno.test("readPage: generates GitHub's anchors: lowercase, with hyphens, without punctuation, and with numbers for duplicates", () => {
  const page = readPage(
    "a.md",
    "# Who is next?\n## `run`, and [a page](b.md)\n### Same\n### Same\n```sh\n# no heading\n```",
  );
  assertEquals([...page.anchors], ["who-is-next", "run-and-a-page", "same", "same-1"]);
});

Deno.test("readPage: returns code blocks with their language, without the indent of a list", () => {
  const page = readPage("a.md", "- Say:\n\n  ```yaml\n  spec:\n    suspend: true\n  ```\n\n```\nplain\n```");
  assertEquals(page.blocks, [
    { line: 4, language: "yaml", text: "spec:\n  suspend: true" },
    { line: 9, language: "", text: "plain" },
  ]);
});

Deno.test("readPage: joins inline code that continues on the next line", () => {
  assertEquals(readPage("a.md", "one `tiphys run\n  FILE` two").code, [{ line: 1, text: "tiphys run FILE" }]);
});

import { assertEquals } from "@std/assert";
import { brokenLinks } from "./links.ts";
import { readPage } from "./page.ts";

const TEXTS = {
  "docs/a.md":
    "# A\n\n[b](b.md#two), [folder](../lib), [self](#a), [out](https://a.example/x#y)\n[gone](c.md) [bad](b.md#one)",
  "docs/b.md": "## Two",
};

Deno.test("brokenLinks() tells of files and anchors that are not there, and of nothing else", () => {
  const pages = new Map(Object.entries(TEXTS).map(([path, text]) => [path, readPage(path, text)]));
  assertEquals(brokenLinks(pages.get("docs/a.md")!, pages, [...pages.keys(), "lib/mod.ts"]), [
    { line: 4, text: "links to c.md, which is not there" },
    { line: 4, text: "links to b.md#one, and no heading there has the anchor #one" },
  ]);
});

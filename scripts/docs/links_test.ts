import { assertEquals } from "@std/assert";
import { brokenLinks } from "./links.ts";
import { readPage } from "./page.ts";

const TEXTS = {
  "docs/a.md":
    "# A\n\n[b](b.md#two), [folder](../lib), [self](#a), [out](https://a.example/x#y)\n[gone](c.md) [bad](b.md#one)",
  "docs/b.md": "## Two",
};

Deno.test("brokenLinks: reports missing files and anchors only", () => {
  const pages = new Map(Object.entries(TEXTS).map(([path, text]) => [path, readPage(path, text)]));
  assertEquals(brokenLinks(pages.get("docs/a.md")!, pages, [...pages.keys(), "lib/mod.ts"]), [
    { line: 4, text: "links to c.md, which does not exist" },
    { line: 4, text: "links to b.md#one, which has no heading with the anchor #one" },
  ]);
});

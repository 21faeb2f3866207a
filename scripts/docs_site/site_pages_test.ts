/** The pages of the documentation site. */
import { assertEquals } from "@std/assert";
import { sitePages } from "./site_pages.ts";

const START = `# Documentation

## Tutorial

[A report](tutorial/README.md): from one container on.

## How-to guides

- [Use secrets](how-to/secrets.md), [install](install.md#on-a-cluster)
- [Stores](artifacts/README.md)
`;
const TREE = new Map([
  ["README.md", "# Tiphys\n![A page](./docs/images/page.png) [try](examples/hello.yaml)\n"],
  ["docs/README.md", START],
  [
    "docs/tutorial/README.md",
    "<!-- generated -->\n# A report\n[source](../../lib/a.ts) [home](https://a.example) [b](#b)\n",
  ],
  ["docs/how-to/secrets.md", "# Use secrets\n[readme](../../README.md#try-it)\n"],
  ["docs/install.md", "# Install\n"],
  ["docs/artifacts/README.md", "# Artifacts\n"],
  ["docs/artifacts/s3.md", "# `S3`\n"],
  ["lib/README.md", "# lib\n"],
]);

Deno.test("sitePages: pages of docs and of the root are part of the site, without comments", () => {
  const { pages } = sitePages(TREE);
  assertEquals([...pages.keys()].sort(), [
    "artifacts/index.md",
    "artifacts/s3.md",
    "how-to/secrets.md",
    "index.md",
    "install.md",
    "project/readme.md",
    "tutorial/index.md",
  ]);
  assertEquals(pages.get("tutorial/index.md")?.startsWith("# A report"), true);
});

Deno.test("sitePages: links lead to pages and copied files; those to sources need a repository", () => {
  const { links, files } = sitePages(TREE);
  assertEquals(links["how-to/secrets.md"], { "../../README.md#try-it": "/project/readme.md#try-it" });
  assertEquals(links["tutorial/index.md"], { "../../lib/a.ts": null });
  assertEquals(links["project/readme.md"], {
    "./docs/images/page.png": "/images/page.png",
    "examples/hello.yaml": "/files/examples/hello.yaml.txt",
  });
  assertEquals(files, ["examples/hello.yaml"]);
  const withSources = sitePages(TREE, "https://git.example/tiphys/blob/v1").links;
  assertEquals(withSources["tutorial/index.md"], {
    "../../lib/a.ts": "https://git.example/tiphys/blob/v1/lib/a.ts",
  });
});

Deno.test("sitePages: the sidebar has the sections of the start page, and every other page under More", () => {
  const artifacts = {
    text: "Stores",
    link: "/artifacts/",
    collapsed: true,
    items: [{ text: "S3", link: "/artifacts/s3" }],
  };
  assertEquals(sitePages(TREE).sidebar, [
    { text: "Tutorial", collapsed: false, items: [{ text: "A report", link: "/tutorial/" }] },
    {
      text: "How-to guides",
      collapsed: false,
      items: [{ text: "Use secrets", link: "/how-to/secrets" }, { text: "Install", link: "/install" }, artifacts],
    },
    { text: "More", collapsed: true, items: [{ text: "Tiphys", link: "/project/readme" }] },
  ]);
});

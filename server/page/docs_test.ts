/** Tests of the documentation under `/docs`. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { DOCS_BASE, docsFolder, docsResponse } from "./docs.ts";
import { makePage, type PageOptions } from "./page.ts";

/** A built site of a page, an asset and an image. */
async function withSite(
  use: (ask: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-docs-test-" });
  try {
    await Deno.mkdir(`${folder}/site/assets`, { recursive: true });
    const files = {
      "secret.txt": "outside",
      "site/index.html": `<script src="${DOCS_BASE}assets/app.1a.js"></script>`,
      "site/404.html": "no such page",
      "site/assets/app.1a.js": `"${DOCS_BASE}"`,
    };
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
    const page = makePage({
      folder: () => Promise.reject(new Error("the page is not needed")),
      docs: () => Promise.resolve(`${folder}/site`),
      baseHref: "/",
      login: "token",
      xFrameOptions: "DENY",
      ...options,
    });
    await use(async (path, init) => (await page(new Request(`http://server.test${path}`, init), path))!);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("docs: pages and scripts name the path that they are served at", async () => {
  await withSite(async (ask) => {
    const answer = await ask("/docs/");
    assertEquals(answer.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals(await answer.text(), '<script src="/argo/docs/assets/app.1a.js"></script>');
    assertEquals(await (await ask("/docs/assets/app.1a.js")).text(), '"/argo/docs/"');
    const moved = await ask("/docs");
    assertEquals([moved.status, moved.headers.get("location")], [302, "/argo/docs/"]);
  }, { baseHref: "/argo/" });
});

Deno.test("docs: responses have the headers of the page, with the Trusted Types policy of Vue", async () => {
  await withSite(async (ask) => {
    const { headers } = await ask("/docs/");
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      assertStringIncludes(policy, rule);
    }
    assertEquals(policy.endsWith("trusted-types vue"), true);
    assertEquals([headers.get("x-content-type-options"), headers.get("x-frame-options")], ["nosniff", "DENY"]);
  });
});

Deno.test("docs: pages are revalidated, assets are kept", async () => {
  await withSite(async (ask) => {
    const first = await ask("/docs/");
    assertEquals(first.headers.get("cache-control"), "no-cache");
    const again = await ask("/docs/", { headers: { "if-none-match": first.headers.get("etag")! } });
    assertEquals(again.status, 304);
    const asset = await ask("/docs/assets/app.1a.js", { headers: { "accept-encoding": "gzip" } });
    assertEquals(asset.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assertEquals(asset.headers.get("content-encoding"), "gzip");
    await first.body?.cancel();
    await asset.body?.cancel();
  });
});

Deno.test("docs: a page that a later build replaced is served at once", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-docs-test-" });
  try {
    const texts: string[] = [];
    for (const text of ["old", "newer"]) {
      await Deno.writeTextFile(`${folder}/index.html`, text);
      const request = new Request("http://server.test/docs/");
      texts.push(await (await docsResponse(request, "/", { folder, baseHref: "/" }, new Headers())).text());
    }
    assertEquals(texts, ["old", "newer"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("docs: a path without a file, or out of the folder, is not found", async () => {
  await withSite(async (ask) => {
    const paths = ["x.html", "assets/", "assets", "../secret.txt", "..%2fsecret.txt", "a/../../secret.txt", "//x"];
    for (const path of [...paths, `${"x".repeat(5000)}.html`]) {
      const answer = await ask(`/docs/${path}`);
      assertEquals([answer.status, await answer.text()], [404, "no such page"], path);
    }
    const head = await ask("/docs/x", { method: "HEAD" });
    assertEquals([head.status, await head.text()], [404, ""]);
  });
});

Deno.test("docs: a program without the site reports how to build it", async () => {
  await withSite(async (ask) => {
    const answer = await ask("/docs/");
    assertEquals(answer.status, 404);
    assertStringIncludes(await answer.text(), "deno task docs --build");
  }, { docs: () => Promise.resolve(undefined) });
  assertEquals(await docsFolder("file:///nowhere/server/page/docs.ts"), undefined);
});

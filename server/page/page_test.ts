/** Tests of the page as it is served, bundled from its sources. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { brotliDecompressSync } from "node:zlib";
import { bundlePage } from "./bundle_page.ts";
import { baseHrefOf, makePage, type PageOptions } from "./page.ts";
import { importsIn } from "./script_imports.ts";
import { pageFolder } from "./page_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The page is built once for all tests in this file. */
let cache = "";
Deno.test.beforeAll(async () => {
  cache = await Deno.makeTempDir({ prefix: "tiphys-page-test-" });
});
Deno.test.afterAll(() => Deno.remove(cache, { recursive: true }));

async function withPage(
  use: (ask: (path: string, headers?: Record<string, string>) => Promise<Response>) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  const page = makePage({
    folder: () => pageFolder(cache),
    baseHref: "/",
    login: "token",
    modes: ["client", "sso"],
    xFrameOptions: "DENY",
    ...options,
  });
  await use(async (path, headers = {}) => {
    const answer = await page(new Request(`http://server.test${path}`, { headers }), path);
    assert(answer);
    return answer;
  });
}

Deno.test("page: any path returns the page, which is revalidated each time and sent once", async () => {
  await withPage(async (ask) => {
    const answer = await ask("/workflows/data/etl");
    const html = await answer.text();
    assertStringIncludes(html, '<base href="/a/&quot;b/">');
    assertStringIncludes(html, 'data-login="token" data-modes="client sso"');
    assert(!html.includes("{{"), html);
    assertEquals(answer.headers.get("cache-control"), "no-cache");
    const tag = answer.headers.get("etag") ?? "";
    // A proxy that compresses responses weakens their ETags.
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const again = await ask("/", { "if-none-match": known });
      assertEquals([again.status, await again.text()], [304, ""], known);
    }
  }, { baseHref: baseHrefOf('a/"b') });
});

/** The scripts that a response lets the browser preload. */
function preloadedScripts({ headers }: Response): string[] {
  return (headers.get("link") ?? "").split(", ").map((part) => {
    const [, name] = /^<\/below\/assets\/([\w.-]+\.js)>; rel=modulepreload$/.exec(part) ?? [];
    assert(name, part);
    return name;
  });
}

Deno.test("page: the URL of a run's log also preloads the scripts of the log", async () => {
  await withPage(async (ask) => {
    const run = preloadedScripts(await ask("/workflows/data/etl?tab=tree"));
    const log = preloadedScripts(await ask("/workflows/data/etl?tab=logs"));
    assertEquals(run.filter((name) => !log.includes(name)), []);
    const stems = (all: readonly string[]) => all.map((name) => name.split("-")[0]);
    assert(!stems(run).includes("logs_tab"), run.join());
    for (const stem of ["logs_tab", "log_lines"]) assert(stems(log).includes(stem), log.join());
    assertEquals(new Set(log).size, log.length);
  }, { baseHref: "/below/" });
});

Deno.test("page: only the URL of a run preloads the script of that page and its imports", async () => {
  await withPage(async (ask) => {
    const answer = await ask("/workflows/data/etl");
    await answer.body?.cancel();
    const named = preloadedScripts(answer);
    const script = named.find((name) => name.startsWith("run_page-"));
    assert(script, named.join());
    for (const name of named) {
      for (const imported of importsIn(await (await ask(`/assets/${name}`)).text())) {
        assert(named.includes(imported), `${name}: ${imported}`);
      }
    }
    assertEquals(new Set(named).size, named.length);
    for (const path of ["/", "/workflows/data", "/workflow-templates/data/etl"]) {
      assertEquals((await ask(path)).headers.get("link"), null, path);
    }
  }, { baseHref: "/below/" });
});

Deno.test("page: scripts that run first are preloaded first", async () => {
  await withPage(async (ask) => {
    const answer = await ask("/workflows/data/etl?tab=logs");
    const [, first] = /<script type="module" src="assets\/([\w.-]+)">/.exec(await answer.text()) ?? [];
    const named = preloadedScripts(answer);
    assertEquals(named[0], first);
    assertEquals(named.filter((name) => /^(graph|lint)-/.test(name)), []);
    assert(named.length <= 14, `${named.length} files`);
  }, { baseHref: "/below/" });
});

Deno.test("page: assets are immutable, and compressed if the client supports it", async () => {
  await withPage(async (ask) => {
    const html = await (await ask("/")).text();
    const names = [...html.matchAll(/"(assets\/[\w.-]+)"/g)].map(([, name]) => name!);
    assert(names.some((name) => name.endsWith(".js")) && names.some((name) => name.endsWith(".css")), html);
    for (const name of names) {
      const plain = await ask(`/${name}`);
      const packed = await ask(`/${name}`, { "accept-encoding": "br, gzip" });
      assertEquals(packed.headers.get("content-encoding"), "gzip", name);
      assertStringIncludes(packed.headers.get("cache-control") ?? "", "immutable");
      const unpacked = await new Response(packed.body!.pipeThrough(new DecompressionStream("gzip"))).bytes();
      assertEquals(unpacked, await plain.bytes(), name);
      assertEquals((await ask(`/${name}`, { "accept-encoding": "gzip;q=0" })).headers.get("content-encoding"), null);
    }
    for (const path of ["/assets/none.js", "/assets/../index.html", "/assets/"]) {
      const { status, headers } = await ask(path);
      // Another release may have the missing file, so its absence is not cached.
      assertEquals([status, headers.get("cache-control")], [404, "no-store"], path);
      assert(headers.get("content-security-policy")?.includes("frame-ancestors 'none'"), path);
    }
  });
});

Deno.test("page: a document that failed to generate is generated at the next request", async () => {
  let calls = 0;
  const make = () => ++calls === 1 ? Promise.reject(new Error("not now")) : Promise.resolve("{}");
  await withPage(async (ask) => {
    await assertRejects(() => ask("/d.json"), Error, "not now");
    assertEquals(await (await ask("/d.json")).text(), "{}");
  }, { documents: new Map([["/d.json", make]]) });
});

Deno.test("page: the policy allows no other origins, and frames only as configured", async () => {
  await withPage(async (ask) => {
    const { headers } = await ask("/");
    const policy = headers.get("content-security-policy") ?? "";
    for (const word of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      assertStringIncludes(policy, word);
    }
    assert(!policy.includes("unsafe"), policy);
    assertEquals([headers.get("x-frame-options"), headers.get("x-content-type-options")], ["DENY", "nosniff"]);
  });
  await withPage(async (ask) => {
    const { headers } = await ask("/");
    assertStringIncludes(headers.get("content-security-policy") ?? "", "frame-ancestors 'self'");
  }, { xFrameOptions: "SAMEORIGIN" });
});

Deno.test("page: the configured origins may frame widgets, and nothing else", async () => {
  const framesOf = async (ask: (path: string) => Promise<Response>, path: string) => {
    const { headers } = await ask(path);
    const [, ancestors] = /frame-ancestors ([^;]*)/.exec(headers.get("content-security-policy") ?? "") ?? [];
    return [ancestors, headers.get("x-frame-options")];
  };
  const widgetAncestors = ["https://portal.test", "https://*.wiki.test"];
  await withPage(async (ask) => {
    const others = ["/widgets", "/widgets/", "/widgets/none/data", "/widgets/workflow-graphs/data/more"];
    for (const path of ["/", "/workflows/data/widgets/", "/assets/none.js", ...others]) {
      assertEquals(await framesOf(ask, path), ["'none'", "DENY"], path);
    }
    const named = ["'self' https://portal.test https://*.wiki.test", null];
    assertEquals(await framesOf(ask, "/widgets/workflow-graphs/data"), named);
  }, { widgetAncestors });
  await withPage(async (ask) => assertEquals(await framesOf(ask, "/widgets/workflow-graphs/data"), ["'none'", "DENY"]));
  await withPage(async (ask) => assertEquals(await framesOf(ask, "/widgets/workflow-graphs/data"), ["*", null]), {
    xFrameOptions: "",
    widgetAncestors,
  });
});

Deno.test("page: the same sources result in the same files", async () => {
  const folders = await Promise.all([1, 2].map(() => Deno.makeTempDir({ prefix: "tiphys-page-test-" })));
  const filesOf = async (folder: string) => {
    await bundlePage(ROOT, folder, { withBrotli: true });
    const files: Record<string, string> = { index: await Deno.readTextFile(`${folder}/index.html`) };
    for await (const { name } of Deno.readDir(`${folder}/assets`)) {
      files[name] = (await Deno.readFile(`${folder}/assets/${name}`)).toHex();
    }
    return files;
  };
  try {
    const [one, other] = await Promise.all(folders.map(filesOf));
    assertEquals(one, other);
    const page = makePage({
      folder: () => Promise.resolve(folders[0]!),
      baseHref: "/",
      login: "token",
      xFrameOptions: "",
    });
    const names = Object.keys(one!).filter((name) => /\.(js|css|svg)$/.test(name));
    assert(names.length > 3, names.join());
    for (const name of names) {
      const headers = { "accept-encoding": "gzip, deflate, br, zstd" };
      const answer = await page(new Request(`http://server.test/assets/${name}`, { headers }), `/assets/${name}`);
      const bytes = await answer!.bytes();
      assertEquals([answer!.headers.get("content-encoding"), bytes.toHex()], ["br", one![`${name}.br`]], name);
      assertEquals(new Uint8Array(brotliDecompressSync(bytes)).toHex(), one![name], name);
    }
  } finally {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("page: a document is generated once, on first use, and revalidated each time", async () => {
  let made = 0;
  const documents = new Map([["/assets/openapi-spec/swagger.json", () => Promise.resolve(`{"made":${++made}}`)]]);
  await withPage(async (ask) => {
    assertEquals(made, 0);
    for (const encoding of ["identity", "gzip"]) {
      const answer = await ask("/assets/openapi-spec/swagger.json", { "accept-encoding": encoding });
      assertEquals([answer.headers.get("content-type"), answer.headers.get("cache-control")], [
        "application/json",
        "no-cache",
      ]);
      const packed = answer.headers.get("content-encoding") === "gzip";
      const stream = packed ? answer.body!.pipeThrough(new DecompressionStream("gzip")) : answer.body!;
      assertEquals([packed, await new Response(stream).text()], [encoding === "gzip", '{"made":1}']);
    }
    assertEquals((await ask("/assets/jsonschema/schema.json")).status, 404);
  }, { documents });
});

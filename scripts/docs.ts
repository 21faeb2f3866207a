/**
 * Checks, builds and serves the documentation.
 *
 *     deno task docs                    checks all Markdown files
 *     deno task docs --build            builds the site into build/docs, for the server and the page
 *     deno task docs --build --base /tiphys/0.1/ --out site/0.1 --versions 0.2,0.1
 *                                       builds the site for a web server, with a menu of versions in folders next to it
 *     deno task docs --serve            builds the site and serves it on this machine
 */
import { programOptions } from "./program_options.ts";
import { filePath } from "@tiphys/base/file_path";
import { baseHrefOf, makePage } from "../server/page/page.ts";
import { docsProblems } from "./check_docs.ts";
import { buildSite } from "./docs_site/build_site.ts";

const { values } = programOptions({
  args: Deno.args,
  options: {
    build: { type: "boolean" },
    serve: { type: "boolean" },
    base: { type: "string" },
    out: { type: "string" },
    versions: { type: "string" },
    port: { type: "string" },
  },
});

const problems = await docsProblems();
for (const problem of problems) console.error(problem);
if (problems.length > 0) Deno.exit(1);

if (values.build || values.serve) {
  const folder = values.out ?? filePath(import.meta.resolve("../build/docs"));
  await buildSite(folder, {
    // Only a placeholder as base can be served at any path.
    base: values.base === undefined || values.serve ? undefined : baseHrefOf(values.base),
    versions: values.versions?.split(","),
  });
  console.log(`Built the site in ${folder}`);
  if (values.serve) await serve(folder);
}

async function serve(folder: string): Promise<void> {
  const page = makePage({
    folder: () => Promise.reject(new Error("Expected a path below /docs")),
    docs: () => Promise.resolve(folder),
    baseHref: "/",
    login: "token",
    xFrameOptions: "DENY",
  });
  const notFound = () => new Response("Not found: the documentation is at /docs/\n", { status: 404 });
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: Number(values.port ?? 0),
    onListen: ({ port }) => console.log(`Serving http://127.0.0.1:${port}/docs/`),
  }, async (request) => {
    const { pathname } = new URL(request.url);
    return pathname.startsWith("/docs") ? await page(request, pathname) ?? notFound() : notFound();
  });
  await server.finished;
}

import { assert, assertEquals } from "@std/assert";
import { Screen } from "../testing/shown.tsx";
import { INFO } from "../testing/server.ts";
import * as shared from "../model/text/en/shared.ts";
import { Dialog } from "./dialog.tsx";
import { DocsLink } from "./docs_link.tsx";

/** The anchors of the headings of a document, as the documentation site names them. */
async function anchorsOf(document: string): Promise<ReadonlySet<string>> {
  const text = await Deno.readTextFile(new URL(`../../docs/${document}.md`, import.meta.url));
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.toLowerCase().replaceAll(" ", "-")));
}

const ADDRESSES = [
  "workflows",
  "workflows/argo/etl",
  "workflow-templates",
  "cluster-workflow-templates/etl",
  "cron-workflows/argo/nightly",
  "event-flow",
  "sensors/argo",
  "reports",
  "userinfo",
  "help",
  "apidocs",
];

Deno.test("DocsLink: links each page to an existing section of the documentation", async () => {
  const anchors = await anchorsOf("page");
  for (const at of ADDRESSES) {
    await using page = new Screen({ view: <DocsLink />, at });
    const [path, anchor = ""] = (await page.find("link", shared.docsLink)).getAttribute("href")!.split("#");
    assertEquals(path, "docs/page.html", at);
    assert(anchors.has(anchor), `${at}: ${anchor}`);
  }
});

Deno.test("DocsLink: links dialogs, and fields to their reference", async () => {
  const fields = await anchorsOf("reference/fields");
  for (const name of ["cronworkflowspec", "objectmeta", "parameter"]) assert(fields.has(name), name);
  await using page = new Screen({ view: <Dialog title="New" onClose={() => {}}>a</Dialog>, at: "cron-workflows" });
  assertEquals((await page.find("link", shared.docsLink)).getAttribute("href"), "docs/page.html#schedules");
});

Deno.test("DocsLink: is not shown if the server has no documentation, as Argo's", async () => {
  await using page = new Screen({ view: <DocsLink />, answers: { "GET v1/info": { ...INFO, extensions: [] } } });
  await page.settled();
  assertEquals(page.has("link"), false);
});

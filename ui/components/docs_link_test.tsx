import { type State, states } from "../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
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

states(DocsLink, {
  ...Object.fromEntries(ADDRESSES.map((address) => [
    `at ${address}: an existing section`,
    {
      view: <DocsLink />,
      at: address,
      check: async (page) => {
        const [path, anchor = ""] = (await page.find("link", shared.docsLink)).getAttribute("href")!.split("#");
        assertEquals(path, "docs/page.html");
        assert((await anchorsOf("page")).has(anchor), anchor);
      },
    } satisfies State,
  ])),
  "in a dialog": {
    view: <Dialog title="New" onClose={() => {}}>a</Dialog>,
    at: "cron-workflows",
    check: (page) => assertEquals(page.one("link", shared.docsLink).getAttribute("href"), "docs/page.html#schedules"),
  },
  "of fields: existing sections of their reference": {
    view: <DocsLink to="reference/fields.html#parameter" text="Docs of these fields" />,
    check: async (page) => {
      page.one("link", "Docs of these fields");
      const anchors = await anchorsOf("reference/fields");
      for (const name of ["cronworkflowspec", "objectmeta", "parameter"]) assert(anchors.has(name), name);
    },
  },
  "not shown if the server has no documentation, as Argo's": {
    view: <DocsLink />,
    answers: { "GET v1/info": { ...INFO, extensions: [] } },
    check: (page) => assertEquals(page.has("link"), false),
  },
});

/** Journeys with invalid responses of the server, and with texts that try to inject HTML or scripts. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { awaitFact } from "../../await_fact.ts";
import { refusalText } from "../../../ui/model/refusal_text.ts";
import { type Feed, NAMESPACE, type seededRun } from "../feed/feed.ts";
import { type Journey, journey, type Scene } from "../journey.ts";

const HTML = "<!doctype html><html><body><h1>Sign in</h1><script>globalThis.ran = 1</script></body></html>";
const page200 = () => new Response(HTML, { headers: { "content-type": "text/html" } });
const text = (body: string, type = "application/json", status = 200) =>
  new Response(body, { status, headers: { "content-type": type } });

/** Responses that cannot be shown as a list, by kind of fault. */
const WRONG: Readonly<Record<string, () => Response>> = {
  "HTML in place of JSON": page200,
  "HTML with 500": () => text(HTML, "text/html", 500),
  "HTML with 502": () => text(HTML, "text/html", 502),
  "JSON that breaks off": () => text('{"metadata":{},"items":[{"metadata":{"name":"a"'),
  "nothing": () => text(""),
  "null": () => text("null"),
  "a list": () => text("[]"),
  "a number": () => text("7"),
  "items that are none": () => text('{"metadata":{},"items":"many"}'),
  "an item that is null": () => text('{"metadata":{},"items":[null]}'),
  "an item without metadata": () => text('{"metadata":{},"items":[{"spec":{}}]}'),
  "JSON nested deeply": () => text("[".repeat(100_000)),
};

/** Pages, and the API request whose response each needs first. */
const PLACES: readonly (readonly [address: string, api: string])[] = [
  ["workflows/data", "/api/v1/workflows/data"],
  ["workflows/data/etl", "/api/v1/workflows/data/etl"],
  ["workflow-templates/data", "/api/v1/workflow-templates/data"],
  ["workflow-templates/data/etl", "/api/v1/workflow-templates/data/etl"],
  ["cluster-workflow-templates", "/api/v1/cluster-workflow-templates"],
  ["cron-workflows/data", "/api/v1/cron-workflows/data"],
  ["cron-workflows/data/etl", "/api/v1/cron-workflows/data/etl"],
  ["reports/data", "/api/v1/workflows/data"],
  ["event-flow/data", "/api/v1/workflow-event-bindings/data"],
  ["workflow-event-bindings/data", "/api/v1/workflow-event-bindings/data"],
];

/** The visible text of the page. */
async function visibleText(page: Page): Promise<string> {
  return await page.locator("main").innerText();
}

/** The advice for an invalid response, as shown by the page. */
const ADVICE = (["server", "offline", "absent", "unknown-route"] as const)
  .map((kind) => refusalText(kind, { login: "token" }).advice);

async function checkErrorCard(scene: Scene, address: string, subject: string, faults: string[]): Promise<void> {
  const { feed, open, page } = scene;
  await open(`${feed.url}${address}`);
  const words = await visibleText(page);
  if (/This page has an error|This page cannot be shown/.test(words)) {
    faults.push(`${address}: ${subject}: ${words}`);
  }
  if (await ran(page) !== undefined) faults.push(`${address}: ${subject}: its script ran`);
  // The error card contains the failed action and the advice.
  const cards = await page.locator("main .refusal").allInnerTexts();
  if (!cards.some((card) => /^Tried to \S/m.test(card) && ADVICE.some((advice) => card.includes(advice)))) {
    faults.push(`${address}: ${subject}: shows only: ${words.slice(0, 200)}`);
  }
}

/** Invalid nodes, which no controller writes. */
const NODES: Readonly<Record<string, unknown>> = {
  "children that are not there": {
    a: node("a", { type: "DAG", children: ["gone", "b"] }),
    b: node("b", { boundaryID: "lost" }),
  },
  "children in a ring": {
    a: node("a", { type: "DAG", children: ["b"] }),
    b: node("b", { type: "DAG", children: ["a"], boundaryID: "a" }),
    c: node("c", { children: ["c"], boundaryID: "c" }),
  },
  "boundaries in a ring": {
    a: node("a", { type: "DAG", children: ["b"], boundaryID: "b" }),
    b: node("b", { type: "DAG", children: ["a"], boundaryID: "a" }),
  },
  "nodes that are null": { a: null, b: node("b", {}) },
  "nodes without fields": { a: {}, b: { id: "b" }, c: { name: "c" } },
  "fields of other types": {
    a: { id: 1, name: 2, displayName: {}, type: [], phase: 7, startedAt: "yesterday", finishedAt: 5, children: "none" },
    b: node("b", { inputs: [], outputs: { parameters: {}, artifacts: "x" }, message: {}, children: [null, 3] }),
    c: node("c", { phase: "Unheard", type: "Unheard", resourcesDuration: "much", templateName: 3 }),
  },
  "names of what every object has": {
    __proto__x: node("__proto__", {}),
    constructor: node("constructor", { children: ["toString"] }),
    toString: node("toString", { boundaryID: "constructor" }),
  },
  "times that run backwards, days away": {
    a: node("a", { startedAt: "2099-01-01T00:00:00Z", finishedAt: "1999-01-01T00:00:00Z" }),
    b: node("b", { startedAt: "0001-01-01T00:00:00Z", finishedAt: null }),
    c: node("c", { startedAt: "+275760-09-13T00:00:00Z" }),
  },
  "a list in place of a map": [node("a", {}), node("b", {})],
};

function node(id: string, more: object): object {
  return {
    id,
    name: id,
    displayName: id,
    type: "Pod",
    templateName: "main",
    phase: "Failed",
    startedAt: "2026-03-28T11:57:00Z",
    finishedAt: "2026-03-28T11:58:00Z",
    ...more,
  };
}

const TABS = ["workflow", "timeline", "tree", "logs", "events", "manifest", "artifacts", "compare"] as const;

/** Texts that would run a script if they were interpreted as HTML. */
const SCRIPT = `<img src=x onerror="ran=1"><script>ran=1</script>"'><svg onload=ran=1>`;
const MARKDOWN =
  `**bold** [run](javascript:ran=1) [data](data:text/html,<script>ran=1</script>) <b onclick="ran=1">x</b> ` +
  `![img](x" onerror="ran=1) [\u202Eok](JaVaScRiPt:ran=1) [tab](java\tscript:ran=1) <https://example.test/a>`;
const STRANGE = `\u202Eright to left\u202C\u200B\u200B\u2066zero\u2069\uFEFF` + "\u0301".repeat(500);

const ran = (page: Page) => page.evaluate<unknown>("globalThis.ran");

export const WRONG_ANSWERS: readonly Journey[] = [
  ...PLACES.map(([address, api]) =>
    journey(`UI-80 invalid response: is reported with advice: ${address}`, async (scene) => {
      const { feed, expectStatus } = scene;
      expectStatus(500, 502, 404, 501);
      const faults: string[] = [];
      for (const [what, answer] of Object.entries(WRONG)) {
        feed.fault = ({ path }) => path === api ? answer() : undefined;
        await checkErrorCard(scene, address, what, faults);
      }
      feed.fault = undefined;
      assertEquals(faults, []);
    })
  ),
  journey(
    "UI-80 invalid stream: does not end the list, and is retried with a delay",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(500);
      await feed.run("etl-1");
      const streams = [
        page200,
        () => text("data: {\n\ndata: null\n\ndata: 7\n\n", "text/event-stream"),
        () => text('data: {"result":{"type":"ADDED","object":null}}\n\n', "text/event-stream"),
        () => text('data: {"result":{"type":"NEVER","object":{"metadata":{"name":"x"}}}}\n\n', "text/event-stream"),
        () => text('data: {"error":{}}\n\n', "text/event-stream"),
        () => text("\u0000".repeat(1000), "text/event-stream"),
      ];
      let asked = 0;
      feed.fault = ({ path }) =>
        path === "/api/v1/workflow-events/data" ? streams[asked++ % streams.length]!() : undefined;
      await open(`${feed.url}workflows/data`);
      await awaitFact("all invalid streams were read", () => asked > streams.length, { seconds: 50 });
      await page.getByRole("link", { name: "etl-1", exact: true }).waitFor();
      assertEquals(await page.getByText("This page has an error").count(), 0);
      feed.fault = undefined;
      await page.getByText("live", { exact: true }).waitFor();
    },
  ),
  journey("UI-06 login: an expired session during a watch is reported with a link to the login", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(401);
    await feed.run("etl-1");
    await open(`${feed.url}workflows/data`);
    await page.getByText("live", { exact: true }).waitFor();
    feed.fault = () => Response.json({ code: 16, message: "token not valid" }, { status: 401 });
    feed.cutStreams();
    await page.getByText("You are not logged in").waitFor();
  }),
  ...Object.entries(NODES).map(([what, nodes]) =>
    journey(`UI-29 invalid status: the page still works: ${what}`, async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(400, 404, 500, 501);
      await feed.run("etl");
      const run = { ...await openOnlyRun(feed), status: { phase: "Failed", nodes } };
      feed.fault = ({ path, method }) =>
        path === "/api/v1/workflows/data/etl" && method === "GET" ? Response.json(run) : undefined;
      const faults: string[] = [];
      for (
        const query of [...TABS.map((tab) => `tab=${tab}`), "nodeId=a", "nodeId=b", "show=critical", "sidePanel=retry"]
      ) {
        await open(`${feed.url}workflows/data/etl?${query}`);
        const words = await visibleText(page);
        if (/went wrong|cannot be shown/.test(words)) faults.push(`${query}: ${words.slice(0, 700)}`);
        if (!words.includes("etl")) faults.push(`${query}: nothing of the run is shown`);
      }
      assertEquals(faults, []);
    })
  ),
  journey("UI-23 injection: texts of runs, templates and links are shown as text only", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(400, 404, 500, 501);
    await feed.run("etl");
    const annotations = {
      "workflows.argoproj.io/title": `${MARKDOWN}${SCRIPT}`,
      "workflows.argoproj.io/description": `${MARKDOWN}\n\n- ${SCRIPT}\n\n> ${STRANGE}\n\n\`\`\`\n${SCRIPT}\n\`\`\``,
    };
    const known = await openOnlyRun(feed);
    const run = {
      ...known,
      metadata: { ...known.metadata, annotations, labels: { ...known.metadata.labels, [SCRIPT]: SCRIPT } },
      spec: { ...known.spec, arguments: { parameters: [{ name: SCRIPT, value: SCRIPT, description: SCRIPT }] } },
      status: {
        phase: "Failed",
        message: `${SCRIPT}${STRANGE}`,
        progress: SCRIPT,
        nodes: {
          a: node("a", {
            displayName: `${STRANGE}${"n".repeat(10_000)}`,
            name: `${SCRIPT}${"n".repeat(10_000)}`,
            message: SCRIPT,
            hostNodeName: SCRIPT,
            templateName: SCRIPT,
            inputs: { parameters: [{ name: SCRIPT, value: SCRIPT }] },
            outputs: {
              artifacts: [{ name: SCRIPT, s3: { key: SCRIPT } }],
              parameters: [{ name: STRANGE, value: STRANGE }],
            },
          }),
        },
      },
    };
    const links = [
      { name: SCRIPT, scope: "workflow", url: "javascript:ran=1" },
      { name: "chat", scope: "chat", url: "data:text/html,<script>ran=1</script>" },
      { name: "list", scope: "workflow-list", url: "\u0001javascript:ran=1" },
    ];
    feed.fault = ({ path, method }) => {
      if (method !== "GET") return undefined;
      if (path === "/api/v1/info") {
        return Response.json({
          links,
          columns: [{ name: SCRIPT, type: "label", key: SCRIPT }],
          navColor: `red;${SCRIPT}`,
        });
      }
      if (path === "/api/v1/workflows/data/etl") return Response.json(run);
      if (path === "/api/v1/workflows/data") return Response.json({ metadata: {}, items: [run] });
      return undefined;
    };
    for (
      const place of [
        "workflows/data",
        ...TABS.map((tab) => `workflows/data/etl?tab=${tab}`),
        "workflows/data/etl?nodeId=a",
      ]
    ) {
      await open(`${feed.url}${place}`);
      const bad = await page.locator("a").evaluateAll((all) =>
        all.map((element) => (element as unknown as { href: string }).href).filter((href) =>
          !/^https?:/.test(href) && href !== ""
        )
      );
      assertEquals(bad, [], place);
      assertEquals(
        await page.locator("main script, main img[src=x], [onclick], [onerror], [onload]").count(),
        0,
        place,
      );
      assertEquals(await page.getByText("This page has an error").count(), 0, place);
      assert((await visibleText(page)).length > 20, place);
      // Each page is a new document, without state of the previous one.
      assertEquals(await ran(page), undefined, place);
    }
  }),
];

async function openOnlyRun(feed: Feed) {
  const answer = await fetch(`${feed.url}api/v1/workflows/${NAMESPACE}/etl`);
  return await answer.json() as ReturnType<typeof seededRun> & { readonly spec: object };
}

/** Journeys on this machine: the link of the terminal, and what it keeps out. */
import { assert, assertEquals } from "@std/assert";
import { FakeWorld } from "../../../cli/testing/fake_world.ts";
import { silentLog } from "../../../lib/log.ts";
import { type LocalPage, serveLocalPage } from "../../../server/mod.ts";
import { type JourneyPage, openPage } from "../browser.ts";
import { type Journey, play } from "../journey.ts";

const CACHE = new URL("../../../build/ui-cache", import.meta.url).pathname;

interface LocalScene extends JourneyPage {
  readonly local: LocalPage;
  /** The routes that were answered, in their order. */
  readonly answered: readonly string[];
}

function onThisMachine(name: string, go: (scene: LocalScene) => Promise<void>): Journey {
  return {
    name,
    async run(browser, picture) {
      using world = new FakeWorld();
      const cluster = await world.startLocalCluster({ dataDir: "", log: () => {}, verbose: false, onNotice: () => {} });
      const answered: string[] = [];
      const local = await serveLocalPage({
        transport: world.api.transport(),
        cacheDir: CACHE,
        ports: [0],
        log: { ...silentLog, debug: (_words, fields) => void answered.push(String(fields?.path)) },
      });
      const opened = await openPage(browser);
      try {
        await play(opened, picture, () => go({ ...opened, local, answered }));
      } finally {
        await local.close();
        await cluster.close();
      }
    },
  };
}

export const LOCAL: readonly Journey[] = [
  onThisMachine("UI-01 the link of the terminal lets in, and leaves no trace", async ({ local, open, page }) => {
    await open(await local.link());
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    await page.waitForURL(local.url);
    assertEquals(await page.evaluate("document.cookie"), "");
  }),
  onThisMachine("UI-02 a link that is used up is refused, and the page says how to get another", async (scene) => {
    const { local, open, page, context, expectStatus } = scene;
    expectStatus(401);
    const link = await local.link();
    await open(link);
    await context.clearCookies();
    await page.evaluate(() => sessionStorage.clear());
    await page.goto("about:blank");
    await open(link);
    await page.getByRole("heading", { name: "This tab is not logged in" }).waitFor();
    assert((await page.getByRole("alert").innerText()).includes("tiphys ui"));
  }),
  onThisMachine("UI-03 a second tab is logged in without asking", async ({ local, open, page, context }) => {
    await open(await local.link());
    const second = await context.newPage();
    await second.goto(`${local.url}userinfo`);
    await second.getByRole("heading", { name: "You" }).waitFor();
    await second.getByText("Subject").waitFor();
    await second.close();
    await page.bringToFront();
  }),
  onThisMachine("UI-04 other names and other pages are kept out", async ({ local, open }) => {
    await open(await local.link());
    const port = Number(new URL(local.url).port);
    assertEquals(await statusOf(port, `Host: evil.test:${port}`), 421);
    assertEquals(await statusOf(port, `Host: 127.0.0.1:${port}\r\nOrigin: http://evil.test`), 403);
    assertEquals(await statusOf(port, `Host: 127.0.0.1:${port}`), 200);
  }),
  onThisMachine("UI-05 where nothing ran yet, hello-world is run by a button, and seen to succeed", async (scene) => {
    const { local, open, page } = scene;
    await open(await local.link());
    await page.getByRole("button", { name: "Run hello-world" }).click();
    await page.waitForURL(/workflows\/default\/hello-world-/);
    await page.getByText("Succeeded").first().waitFor();
  }),
  onThisMachine(
    "UI-81 on this machine eight tabs that are seen have their list, and its changes, by one stream",
    async (scene) => {
      const { local, open, page, context, answered } = scene;
      await open(await local.link());
      const tabs = [page];
      while (tabs.length < 8) {
        const tab = await context.newPage();
        tabs.push(tab);
        await tab.goto(await local.link());
        await tab.getByRole("heading", { name: "No runs yet" }).waitFor();
      }
      await page.getByRole("button", { name: "Run hello-world" }).click();
      await page.waitForURL(/workflows\/default\/hello-world-/);
      for (const tab of tabs.slice(1)) await tab.getByRole("link", { name: /^hello-world-/ }).first().waitFor();
      await page.getByText("Succeeded").first().waitFor();
      assert(answered.includes("/api/tiphys/v1/stream"));
      assert(!answered.includes("/api/v1/workflow-events/{namespace}"));
    },
  ),
];

/** The status of a request for the page, with headers that no browser would send. */
async function statusOf(port: number, headers: string): Promise<number> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(`GET / HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`));
  const bytes = new Uint8Array(1024);
  const read = await connection.read(bytes);
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(new TextDecoder().decode(bytes.subarray(0, read ?? 0))) ?? [];
  return Number(status);
}

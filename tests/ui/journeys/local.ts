/** Journeys with `tiphys local`: the login link of the terminal, and its protection. */
import { assert, assertEquals } from "@std/assert";
import { FakeWorld } from "../../../cli/testing/fake_world.ts";
import { WORKFLOWS } from "@tiphys/kube";
import { type Log, silentLog } from "@tiphys/base/log";
import { serveArtifacts } from "../../../local/embedded_artifacts.ts";
import { type LocalPage, serveLocalPage } from "../../../server/mod.ts";
import { type JourneyPage, openPage } from "../browser.ts";
import { seededRun } from "../feed/feed.ts";
import { type ArtifactFiles, withArtifacts } from "../feed/stores.ts";
import { type Journey, play } from "../journey.ts";

const CACHE = new URL("../../../build/ui-cache", import.meta.url).pathname;

/** A namespace that every cluster has. */
const NAMESPACE = "default";

interface LocalScene extends JourneyPage {
  readonly local: LocalPage;
  /** Restarts the server at the same port. */
  restart(): Promise<LocalPage>;
  /** Creates a run with artifacts. */
  runWithArtifacts(name: string, files: ArtifactFiles): Promise<void>;
  /** The routes of all requests, in order. */
  readonly answered: readonly string[];
}

function localJourney(name: string, go: (scene: LocalScene) => Promise<void>): Journey {
  return {
    name,
    async run(browser, picture) {
      using world = new FakeWorld();
      const cluster = await world.startLocalCluster({ dataDir: "", log: () => {}, verbose: false, onNotice: () => {} });
      const answered: string[] = [];
      const log: Log = { ...silentLog, debug: (_words, fields) => void answered.push(String(fields?.path)) };
      const serve = (port: number) =>
        serveLocalPage({ transport: world.api.transport(), cacheDir: CACHE, ports: [port], store: "127.0.0.1", log });
      let local = await serve(0);
      const restart = async () => {
        const { port } = new URL(local.url);
        await local.close();
        return local = await serve(Number(port));
      };
      await using parts = new AsyncDisposableStack();
      const runWithArtifacts = async (name: string, files: ArtifactFiles) => {
        const folder = await Deno.makeTempDir({ prefix: "tiphys-local-" });
        parts.defer(() => Deno.remove(folder, { recursive: true }));
        const { repository } = parts.use(await serveArtifacts(world.api, { dataDir: folder }));
        const seeded = seededRun(name, { phase: "Succeeded" });
        const placed = { ...seeded, metadata: { ...seeded.metadata, namespace: NAMESPACE } };
        const run = await withArtifacts(world.client, placed, { files, repository });
        await world.client.create(WORKFLOWS, NAMESPACE, run);
      };
      const opened = await openPage(browser);
      try {
        await play(opened, picture, () => go({ ...opened, local, answered, restart, runWithArtifacts }));
      } finally {
        await local.close();
        await cluster.close();
      }
    },
  };
}

export const LOCAL: readonly Journey[] = [
  localJourney(
    "UI-01 local login: the link from the terminal logs in, and leaves no token in the URL or history",
    async ({ local, open, page }) => {
      await open(local.link());
      await page.getByRole("heading", { name: "No runs yet" }).waitFor();
      await page.waitForURL(local.url);
      assertEquals(await page.evaluate("document.cookie"), "");
    },
  ),
  localJourney(
    "UI-02 local login: the link works until the server ends, and then the page shows how to get another",
    async (scene) => {
      const { local, open, page, expectStatus, restart } = scene;
      expectStatus(401);
      const link = local.link();
      await open(link);
      await page.evaluate(() => sessionStorage.clear());
      await page.goto("about:blank");
      await open(link);
      await page.getByRole("heading", { name: "No runs yet" }).waitFor();
      const { url } = await restart();
      await page.goto("about:blank");
      await open(link.replace(local.url, url));
      await page.getByRole("heading", { name: "This tab is not logged in" }).waitFor();
      assert((await page.getByRole("alert").innerText()).includes("tiphys ui"));
    },
  ),
  localJourney(
    "UI-03 local login: a second tab is logged in automatically",
    async ({ local, open, page, context }) => {
      await open(local.link());
      const second = await context.newPage();
      await second.goto(`${local.url}userinfo`);
      await second.getByRole("heading", { name: "Settings" }).waitFor();
      await second.getByText("Subject").waitFor();
      await second.close();
      await page.bringToFront();
    },
  ),
  localJourney(
    "UI-03 local login: after a restart of the server, a tab is logged in by the link that another tab opens",
    async (scene) => {
      const { local, open, page, context, expectStatus, restart } = scene;
      expectStatus(401);
      await open(local.link("userinfo"));
      await page.getByText("Subject").waitFor();
      const again = await restart();
      await page.reload();
      await page.getByRole("heading", { name: "This tab is not logged in" }).waitFor();
      const second = await context.newPage();
      await second.goto(again.link());
      await second.getByRole("heading", { name: "No runs yet" }).waitFor();
      await page.bringToFront();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("Subject").waitFor();
      // The login survives a reload.
      await page.reload();
      await page.getByText("Subject").waitFor();
      await second.close();
    },
  ),
  localJourney(
    "UI-67 local artifacts: a report is shown in a frame, and its scripts run on request",
    async (scene) => {
      const { local, open, page, runWithArtifacts } = scene;
      await runWithArtifacts("etl", {
        "report.html": "<h1>Report</h1><script>document.body.append('it ran')</script>",
      });
      await open(
        local.link(`workflows/${NAMESPACE}/etl?tab=artifacts&artifactNode=main&artifact=outputs:report.html`),
      );
      const frame = page.frameLocator("iframe");
      await frame.getByRole("heading", { name: "Report" }).waitFor();
      await page.getByRole("button", { name: "Run scripts" }).click();
      await frame.getByText("it ran").waitFor();
    },
  ),
  localJourney(
    "UI-04 local server: requests with other host names or origins are rejected",
    async ({ local, open }) => {
      await open(local.link());
      const port = Number(new URL(local.url).port);
      assertEquals(await statusOf(port, `Host: evil.test:${port}`), 421);
      assertEquals(await statusOf(port, `Host: 127.0.0.1:${port}\r\nOrigin: http://evil.test`), 403);
      assertEquals(await statusOf(port, `Host: 127.0.0.1:${port}`), 200);
    },
  ),
  localJourney("UI-05 first run: hello-world is submitted with a button, and succeeds", async (scene) => {
    const { local, open, page } = scene;
    await open(local.link());
    await page.getByRole("button", { name: "Run hello-world" }).click();
    await page.waitForURL(/workflows\/default\/hello-world-/);
    await page.getByText("Succeeded").first().waitFor();
  }),
  localJourney(
    "UI-81 local tabs: eight visible tabs show the list and its changes with one stream",
    async (scene) => {
      const { local, open, page, context, answered } = scene;
      await open(local.link());
      const tabs = [page];
      while (tabs.length < 8) {
        const tab = await context.newPage();
        tabs.push(tab);
        await tab.goto(local.link());
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

/** The status of a request with headers that no browser would send. */
async function statusOf(port: number, headers: string): Promise<number> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(`GET / HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`));
  const bytes = new Uint8Array(1024);
  const read = await connection.read(bytes);
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(new TextDecoder().decode(bytes.subarray(0, read ?? 0))) ?? [];
  return Number(status);
}

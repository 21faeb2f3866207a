/** Journeys with interrupted connections, tabs that share a stream, and servers that restart with another version. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../await_fact.ts";
import { awaitGone, awaitTotal, rowOf } from "../list_of_runs.ts";
import { type Journey, journey } from "../journey.ts";
import { NAMESPACE } from "../feed/feed.ts";

/** Simulates a hidden tab. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"))`);
}

export const CONNECTIONS: readonly Journey[] = [
  journey(
    "UI-79 reconnect: runs that were deleted during an interruption disappear",
    async ({ feed, open, page, expectStatus }) => {
      expectStatus(503);
      await feed.run("etl-1");
      await feed.run("etl-2");
      await open(`${feed.url}workflows/data`);
      await awaitTotal(page, 2);
      feed.fault = () => Response.json({ code: 14, message: "starting" }, { status: 503 });
      feed.cutStreams();
      await feed.client.delete(WORKFLOWS, NAMESPACE, "etl-1");
      await feed.run("etl-3");
      feed.fault = undefined;
      await awaitGone(page, "etl-1");
      await rowOf(page, "etl-3").waitFor();
      await awaitTotal(page, 2);
    },
  ),
  journey(
    "UI-80 reconnect: after a cut stream or an expired version, the list is correct and shows no error",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(410);
      await feed.run("etl-1");
      await open(`${feed.url}workflows/data`);
      await awaitTotal(page, 1);
      // Waits until the stream is open.
      await page.getByText("live", { exact: true }).waitFor();
      let isGone = true;
      const refused = Promise.withResolvers<void>();
      feed.fault = ({ path }) => {
        if (!isGone || !path.startsWith("/api/v1/workflow-events/")) return undefined;
        isGone = false;
        refused.resolve();
        return Response.json({ code: 11, message: "too old resource version" }, { status: 410 });
      };
      feed.cutStreams();
      await feed.client.delete(WORKFLOWS, NAMESPACE, "etl-1");
      await feed.run("etl-2");
      await awaitGone(page, "etl-1");
      await rowOf(page, "etl-2").waitFor();
      await refused.promise;
      await feed.run("etl-3");
      await rowOf(page, "etl-3").waitFor();
      assertEquals(await page.getByRole("alert").count(), 0);
      await page.getByText("live", { exact: true }).waitFor();
    },
  ),
  journey("UI-82 hidden tab: sends no requests, and is updated when it becomes visible", async (scene) => {
    const { feed, open, page } = scene;
    await feed.run("etl-1");
    await open(`${feed.url}workflows/data`);
    await rowOf(page, "etl-1").waitFor();
    // Waits until requests from before are completed.
    await page.getByText("live", { exact: true }).waitFor();
    await awaitFact("the version and the settings are requested", () => {
      return ["/api/v1/info", "/api/v1/version"].every((expected) => feed.seen.some(({ path }) => path === expected));
    }, { seconds: 30 });
    await hide(page, true);
    const asked = feed.seen.length;
    await feed.client.delete(WORKFLOWS, NAMESPACE, "etl-1");
    await feed.run("etl-2");
    await page.clock.runFor(600_000);
    assertEquals(feed.seen.length, asked);
    await hide(page, false);
    await rowOf(page, "etl-2").waitFor();
    await awaitGone(page, "etl-1");
  }),
  journey(
    "UI-82 hidden tab: closes the event stream of a run, and opens it again when it becomes visible",
    async ({ feed, open, page }) => {
      await feed.run("etl-1");
      const streams = () => feed.seen.filter(({ path }) => path.startsWith("/api/v1/stream/events/")).length;
      await open(`${feed.url}workflows/data/etl-1?tab=events`);
      await awaitFact("events are requested", () => streams() > 0, { seconds: 30 });
      await hide(page, true);
      await awaitFact("no stream is open", () => feed.streams.open === 0, { seconds: 30 });
      const before = streams();
      await page.clock.runFor(60_000);
      assertEquals([streams(), feed.streams.open], [before, 0]);
      await hide(page, false);
      await awaitFact("events are requested again", () => streams() > before, { seconds: 30 });
    },
  ),
  journey(
    "UI-82 hidden tab: a run that was deleted in the meantime is reported, and not replaced by one with the same name",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(404);
      await feed.run("etl-1", { phase: "Failed" });
      await open(`${feed.url}workflows/data/etl-1`);
      await page.getByRole("button", { name: "Retry…" }).waitFor();
      await hide(page, true);
      await feed.client.delete(WORKFLOWS, NAMESPACE, "etl-1");
      await page.clock.runFor(600_000);
      await hide(page, false);
      await page.getByText("This run was deleted").waitFor();
      await hide(page, true);
      await feed.run("etl-1", { phase: "Running" });
      await page.clock.runFor(600_000);
      await hide(page, false);
      await page.getByText("The cluster now has another run with this name").waitFor();
      await page.getByText("Failed", { exact: true }).first().waitFor();
      await page.getByRole("link", { name: "Show it" }).click();
      await page.getByRole("button", { name: "Stop…" }).waitFor();
    },
  ),
  journey(
    "UI-81 tabs: twenty visible tabs over HTTP/1.1 all load, and share one stream",
    async (scene) => {
      const { feed, open, page, context } = scene;
      await feed.run("etl-1");
      await open(`${feed.url}workflows/data`);
      const openOne = async () => {
        const tab = await context.newPage();
        await tab.goto(`${feed.url}workflows/data`);
        await rowOf(tab, "etl-1").waitFor();
        return tab;
      };
      const tabs = [page];
      while (tabs.length < 20) {
        const some = Math.min(5, 20 - tabs.length);
        tabs.push(...await Promise.all(Array.from({ length: some }, openOne)));
      }
      await awaitFact("one stream is open", () => Promise.resolve(feed.streams.open === 1), { seconds: 30 });
      await feed.run("etl-2");
      await feed.progress("etl-1", { progress: "2/3" });
      for (const tab of tabs) {
        await rowOf(tab, "etl-2").waitFor();
        await rowOf(tab, "etl-1").getByText("2/3").waitFor();
      }
      assertEquals([feed.streams.open, feed.streams.peak], [1, 1]);
      await Promise.all(tabs.slice(1).map((tab) => tab.close()));
      await feed.run("etl-3");
      await rowOf(page, "etl-3").waitFor();
    },
  ),
  journey(
    "UI-81 tabs: twenty tabs with one run and a tab with another run get all changes by one stream",
    async (scene) => {
      const { feed, open, page, context } = scene;
      await feed.run("etl-1");
      await feed.run("etl-2");
      await open(`${feed.url}workflows/data/etl-1`);
      const tabs = [page];
      while (tabs.length < 8) {
        const tab = await context.newPage();
        tabs.push(tab);
        await tab.goto(`${feed.url}workflows/data/${tabs.length === 8 ? "etl-2" : "etl-1"}`);
        await tab.getByRole("button", { name: "Stop…" }).waitFor();
      }
      await awaitFact("one stream is open", () => Promise.resolve(feed.streams.open === 1), { seconds: 30 });
      for (const name of ["etl-1", "etl-2"]) await feed.progress(name, { phase: "Failed", message: "it is over" });
      for (const tab of tabs) await tab.getByText("it is over").first().waitFor();
      // When a subscription is added, the new stream may open before the server has noticed the end of the old one.
      assertEquals(feed.streams.open, 1);
      assert(feed.streams.peak <= 2, `${feed.streams.peak} streams were open`);
    },
  ),
  journey(
    "UI-81 tabs: three tabs that follow a log hold a connection, and the others read the log without one",
    async (scene) => {
      const { feed, open, page, context } = scene;
      await feed.run("etl-1");
      const logMessage = (line: string) =>
        `data: ${JSON.stringify({ result: { content: line, podName: "etl-1" } })}\n\n`;
      let followed = 0;
      feed.fault = ({ path, query }) => {
        if (!path.endsWith("/log")) return undefined;
        const isFollowed = query.get("logOptions.follow") === "true";
        const time = "2026-03-28T12:00:00.000000001Z";
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            if (isFollowed) followed++;
            controller.enqueue(new TextEncoder().encode(logMessage(`${time} a line of the log`)));
            if (!isFollowed) controller.close();
          },
          cancel: () => void followed--,
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      };
      await open(`${feed.url}workflows/data/etl-1?tab=logs`);
      const tabs = [page];
      while (tabs.length < 9) {
        const tab = await context.newPage();
        tabs.push(tab);
        await tab.goto(`${feed.url}workflows/data/etl-1?tab=logs`);
        await tab.getByText("a line of the log").first().waitFor();
      }
      await awaitFact("three logs are followed", () => Promise.resolve(followed === 3), { seconds: 30 });
      await tabs.at(-1)!.getByText("other tabs use all connections of this browser for logs").waitFor();
      await tabs.at(-1)!.goto(`${feed.url}workflows/data`);
      await rowOf(tabs.at(-1)!, "etl-1").waitFor();
      assertEquals(followed, 3);
    },
  ),
  journey(
    "UI-90 update: a server that restarts with another version is reported, and the URL is preserved",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.run("etl-1");
      const answered = page.waitForResponse(`${feed.url}api/v1/version`);
      await open(`${feed.url}workflows/data?phase=Running`);
      await rowOf(page, "etl-1").waitFor();
      // Waits for the first response, which contains the server's version, and for a stream to cut.
      await (await answered).finished();
      await awaitFact("a stream is open", () => feed.streams.open > 0, { seconds: 20 });
      feed.fault = ({ path }) => path === "/api/v1/version" ? Response.json({ version: "v99" }) : undefined;
      feed.cutStreams();
      await page.getByText("The server now runs v99").waitFor();
      await page.getByRole("button", { name: "Load new version" }).click();
      await rowOf(page, "etl-1").waitFor();
      await page.waitForURL(`${feed.url}workflows/data?phase=Running`);
      assertEquals(await page.getByText("The server now runs v99").count(), 0);
    },
  ),
  journey("UI-90 missing script: is reported in place, and a reload fixes it", async (scene) => {
    const { feed, open, page, settled, expectStatus } = scene;
    expectStatus(404);
    await feed.run("etl-1", { phase: "Succeeded" });
    await page.route(/assets\/(logs_tab|keys_dialog|reports_page)-/, (route) => route.fulfill({ status: 404 }));
    await open(`${feed.url}workflows/data/etl-1?tab=logs`);
    const missing = page.getByRole("alert").filter({ hasText: "A part of this page could not be loaded" });
    await missing.waitFor();
    // The rest of the page still works.
    await page.getByRole("heading", { name: "etl-1" }).waitFor();
    await page.getByRole("tab", { name: "Manifest" }).click();
    await page.getByText("entrypoint: main").waitFor();
    assertEquals(await missing.count(), 0);
    await open(`${feed.url}reports/data`);
    await missing.waitFor();
    await page.getByRole("link", { name: "Runs", exact: true }).waitFor();
    await page.unrouteAll();
    await missing.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Reports" }).waitFor();
    await settled();
    assertEquals(await missing.count(), 0);
    // If the entry script is missing, the page only shows its static text.
    await page.route(/assets\/main-/, (route) => route.fulfill({ status: 404 }));
    await page.goto(feed.url);
    await page.getByText("This page has not loaded yet.").waitFor();
    await page.unrouteAll();
    await open(feed.url);
    await rowOf(page, "etl-1").waitFor();
    assertEquals(await page.getByText("This page has not loaded yet.").count(), 0);
  }),
  journey(
    "UI-90 missing script: a dialog that fails to load can be closed and retried without a reload",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(404);
      await feed.run("etl-1", { phase: "Succeeded" });
      await page.route(/assets\/(run_dialogs|keys_dialog)-/, (route) => route.fulfill({ status: 404 }));
      await open(`${feed.url}workflows/data/etl-1`);
      const missing = page.getByRole("dialog").filter({ hasText: "A part of this page could not be loaded" });
      for (
        const opened of [() => page.keyboard.press("?"), () => page.getByRole("button", { name: "Resubmit…" }).click()]
      ) {
        await opened();
        await missing.waitFor();
        await page.keyboard.press("Escape");
        await missing.waitFor({ state: "detached" });
        await opened();
        await missing.getByRole("button", { name: "Close" }).click();
        await missing.waitFor({ state: "detached" });
      }
      await page.getByRole("button", { name: "Resubmit…" }).click();
      await missing.getByRole("button", { name: "Try again" }).click();
      await missing.waitFor();
      await page.unrouteAll();
      await missing.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("dialog", { name: "Resubmit etl-1" }).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.keyboard.press("?");
      await missing.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
    },
  ),
];

/** Journeys through runs of the archive. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { addressHas, chooseIn } from "../browser.ts";
import { type Feed, NAMESPACE, seededRun } from "../feed/feed.ts";
import { type Journey, journey, type Scene } from "../journey.ts";

/** A run that is in the archive only. */
async function archived(feed: Feed, name: string, uid: string): Promise<void> {
  const node = { id: name, name, displayName: name, type: "Pod", phase: "Failed", templateName: "main" };
  const run = seededRun(name, { phase: "Failed", status: { message: "of the archive", nodes: { [name]: node } } });
  await feed.archive({ ...run, metadata: { ...run.metadata, uid, creationTimestamp: "2026-03-28T11:00:00Z" } });
}

async function names(feed: Feed): Promise<string[]> {
  const { items } = await feed.client.list<Workflow>(WORKFLOWS, NAMESPACE);
  return items.map(({ metadata }) => metadata.name ?? "").sort();
}

/**
 * Opens a failed run and sends its retry; when that is under way, and `late` resolved, somebody else writes to the run
 * first, so that two nodes would run again where one was planned.
 */
async function retryTooEarly(
  { feed, open, page, expectStatus }: Scene,
  { hasStreams = false, late = Promise.resolve() }: { hasStreams?: boolean; late?: Promise<void> },
): Promise<void> {
  expectStatus(409);
  const node = (name: string) => [name, { id: name, name, displayName: name, type: "Pod", phase: "Failed" }];
  const nodes = (...names: string[]) => ({ nodes: Object.fromEntries(names.map(node)) });
  await feed.run("etl", { phase: "Failed", status: nodes("etl") });
  // Streams are asked for, and tell nothing.
  const silent = () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });
  if (!hasStreams) feed.fault = ({ path }) => path.includes("/workflow-events/") ? silent() : undefined;
  await page.route("**/retry", async (route) => {
    await late;
    await feed.progress("etl", nodes("etl", "late"));
    await route.continue();
  }, { times: 1 });
  await open(`${feed.url}workflows/${NAMESPACE}/etl`);
  await page.getByRole("button", { name: "Retry…" }).click();
  await page.locator(".plan").getByText("1 node runs again").waitFor();
  await page.getByRole("button", { name: "Retry", exact: true }).click();
}

export const ARCHIVE: readonly Journey[] = [
  journey("UI-28 of two runs of one name the address means the archived one", async ({ feed, open, page }) => {
    await archived(feed, "etl", "uid-old");
    await feed.run("etl");
    await open(`${feed.url}workflows/${NAMESPACE}`);
    await page.locator('[data-total="2"]').waitFor();
    await page.getByRole("row").filter({ hasText: "archived" }).getByRole("link", { name: "etl" }).click();
    await page.getByText("of the archive").first().waitFor();
    await page.getByText("archived", { exact: true }).waitFor();
    await addressHas(page, { uid: "uid-old" });
    await page.getByText("The cluster now has another run with this name").waitFor();
    await page.getByRole("link", { name: "Show it" }).click();
    await page.getByText("archived", { exact: true }).waitFor({ state: "detached" });
  }, { withStores: true }),
  journey("UI-29 a run that is deleted while it is open stays readable, and is found in the archive", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(404);
    const run = await feed.run("etl", { phase: "Failed" });
    await open(`${feed.url}workflows/${NAMESPACE}/etl`);
    await archived(feed, "etl", run.metadata.uid ?? "");
    await feed.client.delete(WORKFLOWS, NAMESPACE, "etl");
    await page.getByText("This run was deleted").waitFor();
    await page.getByRole("button", { name: "Search the archive" }).click();
    await page.getByText("archived", { exact: true }).waitFor();
    await page.getByText("of the archive").first().waitFor();
  }, { withStores: true }),
  journey(
    "UI-52 a run that changed since its retry was planned is planned anew, and nothing is sent twice",
    async (scene) => {
      const { feed, page } = scene;
      await retryTooEarly(scene, { hasStreams: true });
      await page.getByText("The preview is now up to date").waitFor();
      await page.locator(".plan").getByText("2 nodes run again").waitFor();
      const phase = async () => (await feed.client.get<Workflow>(WORKFLOWS, NAMESPACE, "etl")).status?.phase;
      assertEquals(await phase(), "Failed");
      await page.getByRole("button", { name: "Retry", exact: true }).click();
      await page.locator(".dialog").waitFor({ state: "detached" });
      assertEquals(await phase(), "");
      assertEquals(feed.seen.filter(({ path }) => path.endsWith("/retry")).length, 2);
    },
  ),
  journey(
    "UI-52 a retry that was planned too early is planned anew where no watch tells of the change, and the word of it goes with the dialog",
    async (scene) => {
      const { page } = scene;
      await retryTooEarly(scene, {});
      await page.getByText("The preview is now up to date").waitFor();
      await page.locator(".plan").getByText("2 nodes run again").waitFor();
      await page.goBack();
      await page.locator(".dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Retry…" }).click();
      await page.locator(".plan").getByText("2 nodes run again").waitFor();
      assertEquals(await page.getByText("The preview is now up to date").count(), 0);
    },
  ),
  journey(
    "UI-52 a retry that was planned too early is refused on the page where its dialog was closed before the answer",
    async (scene) => {
      const { page } = scene;
      const closed = Promise.withResolvers<void>();
      await retryTooEarly(scene, { late: closed.promise });
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.locator(".dialog").waitFor({ state: "detached" });
      closed.resolve();
      const refusal = page.locator(".refused").getByText("has changed since it was planned on");
      await refusal.waitFor();
      await page.getByRole("button", { name: "Retry…" }).click();
      await page.locator(".plan").getByText("2 nodes run again").waitFor();
      assertEquals(await page.getByText("The preview is now up to date").count(), 0);
      assertEquals(await refusal.count(), 1);
    },
  ),
  journey("UI-53 a run of the archive is resubmitted, and retried into the cluster", async (scene) => {
    const { feed, open, page } = scene;
    await archived(feed, "etl", "uid-old");
    await open(`${feed.url}workflows/${NAMESPACE}/etl?uid=uid-old`);
    await chooseIn(page, "More", "Resubmit…");
    await page.getByRole("button", { name: "Resubmit", exact: true }).click();
    await page.waitForURL(/\/etl-\w+/);
    assertEquals((await names(feed)).length, 1);
    await open(`${feed.url}workflows/${NAMESPACE}/etl?uid=uid-old`);
    await page.getByRole("button", { name: "Retry…" }).click();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await page.getByText("archived", { exact: true }).waitFor({ state: "detached" });
    assertEquals((await names(feed)).includes("etl"), true);
  }, { withStores: true }),
  journey("UI-20 a run that the archive has too is asked about before it is deleted", async (scene) => {
    const { feed, open, page } = scene;
    await feed.run("etl", {
      phase: "Succeeded",
      labels: { "workflows.argoproj.io/workflow-archiving-status": "Archived" },
    });
    await open(`${feed.url}workflows/${NAMESPACE}/etl`);
    const ask = () => chooseIn(page, "More", "Delete");
    const copy = page.getByLabel("Also delete the copy in the archive");
    await ask();
    await copy.check();
    await page.getByRole("button", { name: "Cancel" }).click();
    await ask();
    assertEquals(await copy.isChecked(), false);
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    assertEquals(feed.seen.filter(({ method }) => method === "DELETE"), []);
  }),
];

/** Journeys on archived runs. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { awaitQuery, chooseIn } from "../browser.ts";
import { type Feed, NAMESPACE, seededRun } from "../feed/feed.ts";
import { type Journey, journey, type Scene } from "../journey.ts";

/** Creates a run that exists only in the archive. */
async function addArchivedRun(feed: Feed, name: string, uid: string): Promise<void> {
  const node = { id: name, name, displayName: name, type: "Pod", phase: "Failed", templateName: "main" };
  const run = seededRun(name, { phase: "Failed", status: { message: "of the archive", nodes: { [name]: node } } });
  await feed.archive({ ...run, metadata: { ...run.metadata, uid, creationTimestamp: "2026-03-28T11:00:00Z" } });
}

async function names(feed: Feed): Promise<string[]> {
  const { items } = await feed.client.list<Workflow>(WORKFLOWS, NAMESPACE);
  return items.map(({ metadata }) => metadata.name ?? "").sort();
}

/**
 * Opens a failed run and sends its retry. When the retry is in flight and `late` has resolved, another client changes
 * the run first, so that two nodes would run again instead of the one in the preview.
 */
async function retryOutdated(
  { feed, open, page, expectStatus }: Scene,
  { hasStreams = false, late = Promise.resolve() }: { hasStreams?: boolean; late?: Promise<void> },
): Promise<void> {
  expectStatus(409);
  const node = (name: string) => [name, { id: name, name, displayName: name, type: "Pod", phase: "Failed" }];
  const nodes = (...names: string[]) => ({ nodes: Object.fromEntries(names.map(node)) });
  await feed.run("etl", { phase: "Failed", status: nodes("etl") });
  // Streams open, but send nothing.
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
  journey(
    "UI-28 archive: the URL selects the archived one of two runs with the same name",
    async ({ feed, open, page }) => {
      await addArchivedRun(feed, "etl", "uid-old");
      await feed.run("etl");
      await open(`${feed.url}workflows/${NAMESPACE}`);
      await page.locator('[data-total="2"]').waitFor();
      await page.getByRole("row").filter({ hasText: "archived" }).getByRole("link", { name: "etl" }).click();
      await page.getByText("of the archive").first().waitFor();
      await page.getByText("archived", { exact: true }).waitFor();
      await awaitQuery(page, { uid: "uid-old" });
      await page.getByText("The cluster now has another run with this name").waitFor();
      await page.getByRole("link", { name: "Show it" }).click();
      await page.getByText("archived", { exact: true }).waitFor({ state: "detached" });
    },
    { withStores: true },
  ),
  journey(
    "UI-29 run page: a run that is deleted while it is open stays readable, and is found in the archive",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(404);
      const run = await feed.run("etl", { phase: "Failed" });
      await open(`${feed.url}workflows/${NAMESPACE}/etl`);
      await addArchivedRun(feed, "etl", run.metadata.uid ?? "");
      await feed.client.delete(WORKFLOWS, NAMESPACE, "etl");
      await page.getByText("This run was deleted").waitFor();
      await page.getByRole("button", { name: "Search the archive" }).click();
      await page.getByText("archived", { exact: true }).waitFor();
      await page.getByText("of the archive").first().waitFor();
    },
    { withStores: true },
  ),
  journey(
    "UI-52 retry: the preview is updated when the run has changed, and nothing is sent twice",
    async (scene) => {
      const { feed, page } = scene;
      await retryOutdated(scene, { hasStreams: true });
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
    "UI-52 retry: an outdated preview is updated also without a watch event, and the notice disappears with the dialog",
    async (scene) => {
      const { page } = scene;
      await retryOutdated(scene, {});
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
    "UI-52 retry: an outdated retry is refused on the page if its dialog was closed before the response",
    async (scene) => {
      const { page } = scene;
      const closed = Promise.withResolvers<void>();
      await retryOutdated(scene, { late: closed.promise });
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
  journey("UI-53 archive: an archived run is resubmitted, and retried into the cluster", async (scene) => {
    const { feed, open, page } = scene;
    await addArchivedRun(feed, "etl", "uid-old");
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
  journey(
    "UI-20 delete: for a run that is also archived, the dialog offers to delete the archived copy",
    async (scene) => {
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
    },
  ),
];

/** Journeys on artifacts. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { rawZip } from "../../../lib/artifacts/formats/testing/raw_archives.ts";
import { awaitFact } from "../../await_fact.ts";
import { awaitQuery } from "../browser.ts";
import { type Feed, NAMESPACE } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";

const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** A tenth of a second of silence: 800 samples of a byte. */
function wave(): Uint8Array<ArrayBuffer> {
  const samples = 800;
  const file = new Uint8Array(44 + samples).fill(0x80, 44);
  const view = new DataView(file.buffer);
  const text = (offset: number, signs: string) => file.set(new TextEncoder().encode(signs), offset);
  const number = (offset: number, value: number) => view.setUint32(offset, value, true);
  text(0, "RIFF");
  number(4, 36 + samples);
  text(8, "WAVEfmt ");
  number(16, 16);
  number(20, 1 + (1 << 16)); // PCM, one channel
  number(24, 8_000);
  number(28, 8_000);
  number(32, 1 + (8 << 16)); // one byte per sample of eight bits
  text(36, "data");
  number(40, samples);
  return file;
}

/** A compressed tar with one file, the default format of artifacts. */
async function packFile(name: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const content = new TextEncoder().encode(text);
  const archive = new Uint8Array(512 + Math.ceil(content.length / 512) * 512 + 1024);
  const put = (offset: number, field: string) => archive.set(new TextEncoder().encode(field), offset);
  put(0, name);
  put(100, "0000644\0");
  put(124, `${content.length.toString(8).padStart(11, "0")}\0`);
  put(148, "        ");
  put(156, "0");
  put(257, "ustar\x0000");
  put(148, `${archive.subarray(0, 512).reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0")}\0 `);
  archive.set(content, 512);
  return new Uint8Array(
    await new Response(new Blob([archive]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
}

const parquet = (name: string) =>
  Deno.readFile(new URL(`../../../ui/model/artifacts/parquet/testdata/${name}.parquet`, import.meta.url));

/** A Parquet file with a megabyte of padding between its pages and its footer, which the page does not request. */
function withGap(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const end = file.length - 3_000;
  const all = new Uint8Array(file.length + 1024 * 1024);
  all.set(file.subarray(0, end));
  all.set(file.subarray(end), all.length - 3_000);
  return all;
}

async function openTab(feed: Feed, open: (url: string) => Promise<void>, query = ""): Promise<void> {
  await open(`${feed.url}workflows/${NAMESPACE}/etl?tab=artifacts${query}`);
}

const show = (page: Page, name: string) => page.getByRole("table").getByRole("link", { name, exact: true }).click();
const close = (page: Page) => page.getByRole("button", { name: "Close" }).click();

export const ARTIFACTS: readonly Journey[] = [
  journey("UI-66 artifacts: are shown by type: text, table, image, archive, folder", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    await feed.runWithArtifacts("etl", {
      "rows.csv": 'name,count\n"a, b",2\nc,3\n',
      "dot.png": PNG,
      "out/part-0.txt": "first part",
      "out/part-1.txt": "second part",
      model: await packFile("model.json", '{"weights":[1]}'),
      "events.jsonl": '{"id":1,"kind":"push"}\n{"id":2,"by":{"name":"ann"}}\n',
      "reports.zip": rawZip([{ name: "reports/may.html" }, { name: "reports/june.html", text: "<h1>June</h1>" }]),
      "rows.parquet": await parquet("all-v2"),
      "large.parquet": withGap(await parquet("pages")),
      "broken.parquet": new TextEncoder().encode("PAR1\0\0\0\0PAR1"),
      "beep.wav": wave(),
      "paper.pdf": new TextEncoder().encode("%PDF-1.4\n%%EOF\n"),
      "broken.bin": new Uint8Array(2000).map((_, index) => index % 7),
    });
    await openTab(feed, open);
    await page.getByRole("row", { name: "rows.csv" }).getByRole("cell", { name: "24 B" }).waitFor();
    await page.getByRole("row", { name: /^out / }).getByRole("cell", { name: "2 files" }).waitFor();
    await show(page, "rows.csv");
    await page.getByRole("cell", { name: "a, b", exact: true }).waitFor();
    await close(page);
    await show(page, "dot.png");
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await close(page);
    await show(page, "beep.wav");
    // The policy allows the sound itself, not only its player.
    const length = () => page.locator("audio").evaluate((audio) => "duration" in audio ? audio.duration : undefined);
    await awaitFact("the sound is loaded", async () => await length() === 0.1, { seconds: 30 });
    await close(page);
    await show(page, "paper.pdf");
    await page.getByRole("link", { name: "Open the PDF in a new tab" }).waitFor();
    await close(page);
    await show(page, "model");
    await page.getByText("An archive of one file").waitFor();
    await page.getByText('{"weights":[1]}').waitFor();
    await close(page);
    await show(page, "events.jsonl");
    await page.getByRole("columnheader", { name: "kind" }).waitFor();
    await page.getByRole("cell", { name: '{"name":"ann"}', exact: true }).waitFor();
    await close(page);
    await show(page, "reports.zip");
    await page.getByText("An archive of 2 files").waitFor();
    await page.getByText("reports/june.html").waitFor();
    await close(page);
    await show(page, "rows.parquet");
    await page.getByRole("columnheader", { name: "price decimal" }).waitFor();
    await page.getByRole("cell", { name: "12345678901234567890.12", exact: true }).waitFor();
    await close(page);
    await show(page, "large.parquet");
    await page.getByRole("cell", { name: "[997,998]", exact: true }).waitFor();
    await page.getByText("There are more rows").waitFor();
    await close(page);
    // A file that is replaced between two range requests is reported, and read again from its beginning.
    await page.route("**/artifact-files/**", async (route) => {
      const headers = await route.request().allHeaders();
      if (headers.range === undefined) return await route.fallback();
      assert(headers["if-range"], "the tag of the beginning is sent with each part");
      await route.fulfill({ status: 200, headers: { etag: '"another"' }, body: "PAR1 another file" });
    });
    await show(page, "large.parquet");
    await page.getByText("the file was replaced while parts of it were read").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("cell", { name: "[997,998]", exact: true }).waitFor();
    await close(page);
    await show(page, "broken.parquet");
    await page.getByText("This Parquet file is not shown: it is damaged.").waitFor();
    await close(page);
    await show(page, "broken.bin");
    await page.getByText("This file is neither text nor an image").waitFor();
    await close(page);
    await show(page, "out");
    await page.getByRole("link", { name: "part-1.txt" }).click();
    await page.getByText("second part").waitFor();
    // Each step has a URL: Back leads from the file to its folder.
    await page.goBack();
    await page.getByRole("link", { name: "part-0.txt" }).waitFor();
    expectStatus(404);
    await openTab(feed, open, "&artifactNode=main&artifact=outputs:none");
    await page.getByRole("alert").waitFor();
    await openTab(feed, open, "&artifactNode=main&artifact=outputs:rows.csv");
    await page.getByRole("cell").first().waitFor();
  }, { withStores: true }),
  journey(
    "UI-27 artifacts: a URL of Argo's page that has an artifact as node opens that artifact",
    async ({ feed, open, page }) => {
      await feed.runWithArtifacts("etl", { "note.txt": "it went well" });
      await open(`${feed.url}workflows/${NAMESPACE}/etl?nodeId=artifact:s3:127.0.0.1:artifacts:note.txt`);
      await page.getByText("it went well").waitFor();
      await page.getByRole("button", { name: "Close", exact: true }).click();
      await page.getByRole("complementary", { name: "Node main" }).waitFor();
    },
    { withStores: true },
  ),
  journey("UI-27 artifacts: a URL with an unknown artifact shows that no node has it", async ({ feed, open, page }) => {
    await feed.runWithArtifacts("etl", { "note.txt": "it went well" });
    await open(`${feed.url}workflows/${NAMESPACE}/etl?nodeId=artifact:s3:127.0.0.1:artifacts:none.txt&tab=tree`);
    await page.getByText("No node of this run has artifact:s3:127.0.0.1:artifacts:none.txt").waitFor();
    await page.getByRole("link", { name: "Show the run alone" }).click();
    await page.getByText("No node of this run has").waitFor({ state: "detached" });
    await awaitQuery(page, { tab: "tree", nodeId: null });
  }, { withStores: true }),
  journey("UI-67 artifacts: an HTML report runs no script and loads nothing", async ({ feed, open, page }) => {
    const report = '<h1>Report</h1><script>fetch("/api/v1/info?stolen=" + document.cookie)</script>' +
      '<img src="/api/v1/version?from=frame">';
    await feed.runWithArtifacts("etl", { "report.html": report });
    await openTab(feed, open);
    await show(page, "report.html");
    await page.frameLocator("iframe").getByRole("heading", { name: "Report" }).waitFor();
    assertEquals(feed.seen.filter(({ query }) => query.has("stolen")), []);
    assertEquals(await page.locator("iframe").getAttribute("sandbox"), "");
    await close(page);
  }, { withStores: true }),
  journey(
    "UI-67 artifacts: scripts of a report run on request, cannot access the session, and load nothing",
    async (scene) => {
      const { feed, open, page, context } = scene;
      const report =
        `<h1>Report</h1><p id="told"></p><form id="f" action="/api/v1/info?stolen=form" method="post"></form>
      <a id="a" href="/api/v1/info?stolen=download" download>d</a><script>
      const told = [];
      const attempt = (name, act) => { try { act(); told.push(name + ": done"); } catch (e) { told.push(name + ": " + e.name); } };
      attempt("cookie", () => document.cookie);
      attempt("storage", () => localStorage.length);
      attempt("parent", () => parent.document.title);
      attempt("top", () => { top.location = "/api/v1/info?stolen=top"; });
      told.push("popup: " + (open("/api/v1/info?stolen=popup") === null ? "none" : "open"));
      document.getElementById("f").submit();
      new Image().src = "/api/v1/info?stolen=image";
      told.push("origin: " + origin);
      fetch("/api/v1/info?stolen=fetch").then(() => "reached", () => "refused").then((answer) => {
        document.getElementById("told").textContent = [...told, "fetch: " + answer].join(", ");
      });
      </script>`;
      await feed.runWithArtifacts("etl", { "report.html": report });
      await openTab(feed, open);
      await show(page, "report.html");
      const frame = page.frameLocator("iframe");
      await frame.getByRole("heading", { name: "Report" }).waitFor();
      assertEquals(await frame.locator("#told").textContent(), "");
      scene.expectConsole(/sandbox|Content Security Policy|Refused|Unsafe attempt|Blocked/);
      await page.getByRole("button", { name: "Run scripts" }).click();
      await frame.getByText("fetch: refused").waitFor();
      assertEquals(
        await frame.locator("#told").textContent(),
        "cookie: SecurityError, storage: SecurityError, parent: SecurityError, top: SecurityError, popup: none, " +
          "origin: null, fetch: refused",
      );
      assertEquals(feed.seen.filter(({ query }) => query.has("stolen")), []);
      assertEquals(context.pages().length, 1);
      // It may navigate its own frame to this server, but the request has no credentials.
      await context.addCookies([{ name: "authorization", value: "secret", url: feed.url, sameSite: "Strict" }]);
      const cookies: (string | null)[] = [];
      feed.fault = ({ query }, headers) => void (query.has("stolen") && cookies.push(headers.get("cookie")));
      await frame.locator("#a").evaluate((link) => (link as unknown as { click(): void }).click());
      await awaitFact("the frame has navigated", () => cookies.length > 0, { seconds: 20 });
      assertEquals(cookies, [null]);
      await context.clearCookies();
      // A link does not start scripts: that requires a click.
      await page.reload();
      await frame.getByRole("heading", { name: "Report" }).waitFor();
      assertEquals(await page.locator("iframe").getAttribute("sandbox"), "");
      await close(page);
    },
    { withStores: true },
  ),
  journey("UI-64 artifacts: a download has every byte of the artifact", async ({ feed, open, page }) => {
    const text = Array.from({ length: 5000 }, (_, line) => `line ${line}\n`).join("");
    await feed.runWithArtifacts("etl", { "all.txt": text });
    await openTab(feed, open);
    await show(page, "all.txt");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download" }).click(),
    ]);
    assertEquals(download.suggestedFilename(), "all.txt");
    assert(await Deno.readTextFile(await download.path()) === text);
  }, { withStores: true }),
];

/** Journeys on the times of one run: timeline, replay and flame graph. */
import { assert, assertEquals } from "@std/assert";
import { podNameOf } from "@tiphys/model/status";
import { awaitFact } from "../../await_fact.ts";
import { awaitQuery, chooseIn } from "../browser.ts";
import type { Journey } from "../journey.ts";
import { address, awaitTrue, played, texts } from "../played/played_journey.ts";
import { failedRun, growingRun } from "../played/played_runs.ts";

export const RUN_TIMELINE: readonly Journey[] = [
  played(
    "UI-41 timeline: the bar of a running node grows, and its panel shows no end",
    "dag?tab=timeline&nodeId=n3",
    (server) => {
      server.show(growingRun("dag", 4, "2"));
    },
    async (page) => {
      await page.waitForSelector(".node-panel dt");
      await page.waitForSelector(".time-bar.open");
      assertEquals((await texts(page, ".node-panel dt")).includes("Finished"), false);
      assertEquals(await page.locator(".time-bar.open").count(), 2);
      const text = () => page.locator(".node-row:last-child .time-text").textContent();
      const before = await text();
      await awaitFact("its duration has changed", async () => await text() !== before, { seconds: 60 });
    },
  ),
  played(
    "UI-42 timeline: a selected bar is also selected in the graph and in the tree",
    "etl?tab=timeline",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      const loop = page.locator('.node-row:has-text("×40")');
      const item = page.locator('.node-row:has-text("load(7:7)")');
      await loop.click();
      await item.waitFor();
      await loop.click();
      await item.waitFor({ state: "detached" });
      await page.click('.node-row:has-text("extract")');
      await page.keyboard.press("3");
      await page.waitForSelector(".rows.tree [aria-selected=true]");
      assertEquals(await texts(page, ".rows.tree [aria-selected=true] .node-label"), ["extract"]);
      await page.keyboard.press("1");
      await page.waitForSelector(".part.selected");
      assertEquals(await texts(page, ".part.selected .label"), ["extract"]);
    },
    { theme: "dark" },
  ),
  played("UI-41 timeline: a bar is divided by the events of its pod", "dag?tab=timeline", (server) => {
    const run = growingRun("dag", 2, "1");
    const node = run.status!.nodes!.n1!;
    const started = Date.parse(node.startedAt!);
    const event = (seconds: number, reason: string, message: string) => ({
      type: "Normal",
      reason,
      message,
      lastTimestamp: new Date(started + seconds * 1000).toISOString(),
      involvedObject: { kind: "Pod", name: podNameOf(run, node) },
    });
    server.show(run);
    server.stage.events = [
      event(5, "Scheduled", "Successfully assigned data/dag to node-1"),
      event(6, "Pulling", 'Pulling image "alpine"'),
      event(26, "Pulled", 'Successfully pulled image "alpine" in 20s'),
      event(30, "Started", "Started container main"),
    ];
  }, async (page) => {
    await page.waitForSelector(".time-bar.stage-pull");
    const bar = page.getByRole("gridcell", {
      name: /^Running .*: waited for a machine 5s, pulled images 20s, prepared 5s, ran /,
    });
    await bar.waitFor();
    const widths = await bar.locator(".time-bar").evaluateAll((all) =>
      all.map((element) =>
        (element as unknown as { getBoundingClientRect(): { width: number } }).getBoundingClientRect().width
      )
    );
    assertEquals(widths.length, 5);
    assert(widths[2]! > 2 * widths[0]!, widths.join());
  }),
  played(
    "UI-41 timeline: the bar of a pod shows how long its outputs were saved, if its containers report it",
    "etl?tab=timeline",
    async (server) => {
      const run = await failedRun("etl");
      const node = Object.values(run.status!.nodes!).find(({ name }) => name === "etl.extract")!;
      const second = (at: number) => new Date(Date.parse(node.startedAt!) + at * 1000).toISOString();
      server.show(run);
      server.stage.podTimes = { [podNameOf(run, node)]: { started: second(1), ended: second(6), saved: second(10) } };
    },
    async (page) => {
      await page.waitForSelector(".time-bar.stage-save");
      await page.getByRole("gridcell", { name: "Succeeded 10s: ran 5s, saved outputs 4s" }).waitFor();
      await page.keyboard.press("c");
      await page.locator(".flame .stages li", { hasText: "saved outputs 4s" }).waitFor();
    },
  ),
  played(
    "UI-43 timeline: the zoomed time range is in the URL, and a link restores it",
    "etl?tab=timeline",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      await page.click('.node-row:has-text("extract")');
      await page.getByRole("button", { name: "Zoom to the selected node" }).click();
      await page.waitForURL(({ searchParams }) => searchParams.has("zoom"));
      const zoom = address(page).get("zoom");
      const axis = await texts(page, ".axis, .time-axis");
      await page.reload();
      await page.waitForSelector(".node-row");
      await awaitQuery(page, { zoom });
      assertEquals(await texts(page, ".axis, .time-axis"), axis);
      await page.getByRole("button", { name: "All", exact: true }).click();
      await awaitQuery(page, { zoom: null });
    },
  ),
  played("UI-44 replay: shows the states at a time, and returns to the present", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    const done = "[...document.querySelectorAll('.part')].some((one) => /validate/.test(one.textContent))";
    await awaitTrue(page, done);
    await chooseIn(page, "View", "Replay");
    const slider = page.getByRole("slider", { name: /State after/ });
    await slider.focus();
    await page.keyboard.press("Home");
    for (let second = 0; second < 5; second++) await page.keyboard.press("ArrowRight");
    await page.getByText("5s of").waitFor();
    await page.locator('.part[data-key="etl.extract"]').click();
    await page.locator(".node-panel").getByText("Running").first().waitFor();
    await page.waitForURL(({ searchParams }) => (searchParams.get("at") ?? "") !== "");
    // Actions are not available for a past state, and the manifest is that of the present.
    assertEquals(await page.locator(".node-panel").getByRole("button", { name: "Manifest" }).count(), 0);
    await page.getByRole("tab", { name: "Manifest" }).click();
    await page.locator(".manifest").getByText("phase: Succeeded").first().waitFor();
    await page.getByRole("tab", { name: "Graph" }).click();
    assertEquals(
      await page.locator('.part[data-key="etl.check"]').getAttribute("class").then((classes) =>
        classes?.includes("planned")
      ),
      true,
    );
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.locator(".node-panel").getByText("Succeeded").first().waitFor();
    await awaitQuery(page, { at: null });
  }),
  played("UI-45 flame graph: its times add up to the duration of the run", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    await page.keyboard.press("c");
    await page.getByText("As a table").click();
    const whole = await page.locator(".run-head .number").first().textContent();
    assertEquals((await texts(page, ".critical-table tfoot .number"))[0], whole?.trim());
    const causes = await texts(page, ".flame .stages li");
    assertEquals(causes.map((cause) => cause.replace(/\s+/g, " ").trim()), ["ran 1m 10s 100 %"]);
  }),
  played(
    "UI-45 flame graph: is navigated and zoomed by keyboard and click, and the timeline shows the same time range",
    "etl?show=critical",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      const block = (name: string | RegExp) => page.locator(".flame").getByRole("button", { name });
      const about = (text: string) => page.locator(".flame-about").filter({ hasText: text }).waitFor();
      await block(/^etl, 1m 10s/).focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await about("extract");
      await page.keyboard.press("ArrowRight");
      await about("flaky");
      await page.keyboard.press("Enter");
      await awaitTrue(page, "new URL(location.href).searchParams.get('zoom') === '10..40'");
      assertEquals(await page.evaluate("document.activeElement.getAttribute('aria-current')"), "true");
      assertEquals(await block(/^extract/).count(), 0);
      await page.keyboard.press("ArrowRight");
      await about("check");
      await page.keyboard.press("ArrowDown");
      await about("deep");
      await page.keyboard.press("0");
      await awaitTrue(page, "!new URL(location.href).searchParams.has('zoom')");
      await block(/^deep/).click();
      const zoom = address(page).get("zoom");
      assertEquals(zoom, "40..50");
      await page.getByRole("tab", { name: "Timeline" }).click();
      await page.locator(".axis-time", { hasText: "40s" }).waitFor();
      assertEquals(await texts(page, ".flame-axis .axis-tick"), await texts(page, ".axis .axis-tick"));
      await page.locator(".flame").getByRole("button", { name: "Show node" }).click();
      await page.locator(".node-panel h2", { hasText: "deep" }).waitFor();
    },
  ),
  played(
    "UI-45 flame graph: fits a narrow page in dark mode, and its table is readable",
    "etl?show=critical&tab=graph",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      await page.getByText("As a table").click();
      await page.getByRole("row", { name: /^deep etl \/ check/ }).waitFor();
      const lines = await page.locator(".critical-table tfoot :is(th, td)").evaluateAll((cells) =>
        cells.map((cell) => cell.ownerDocument.defaultView!.getComputedStyle(cell).borderBlockEndWidth)
      );
      assertEquals(new Set(lines).size, 1, lines.join("; "));
    },
    { width: 390, height: 844, theme: "dark" },
  ),
  played(
    "UI-45 flame graph: shows how much shorter the run would be without a node, also if another node limits the gain",
    "etl?show=critical",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      const about = (text: string | RegExp) => page.locator(".flame-about").filter({ hasText: text }).first().waitFor();
      await page.locator(".flame").getByRole("button", { name: /^etl, 1m 10s/ }).focus();
      for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
      await about(/extract.*without it the run would be 10s shorter/);
      // The parallel loop took ten of the thirty seconds.
      await page.keyboard.press("ArrowRight");
      await about(/flaky.*without it the run would be 20s shorter/);
      await page.getByText("As a table").click();
      await page.getByRole("row", { name: /^flaky .*−20s/ }).waitFor();
      await page.getByRole("row", { name: /^extract .*−10s/ }).waitFor();
      await page.locator(".critical-table").getByRole("button", { name: "flaky", exact: true }).click();
      await about("flaky If this took no time, the run would be 20s shorter.");
      await page.getByRole("button", { name: "Close the panel" }).click();
      await page.getByRole("tab", { name: "Tree" }).click();
      await page.getByRole("link", { name: /^load/ }).or(page.getByRole("row", { name: /load/ })).first().click();
      await about(/If this took no time, the run would not be shorter/);
    },
  ),
];

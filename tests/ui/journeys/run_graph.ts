/** Journeys on the graph of one run. */
import { assert, assertEquals } from "@std/assert";
import { awaitQuery } from "../browser.ts";
import type { Journey } from "../journey.ts";
import { awaitTrue, played, texts } from "../played/played_journey.ts";
import { failedRun, flatRun, growingRun, loopRun, withVersion } from "../played/played_runs.ts";

export const RUN_GRAPH: readonly Journey[] = [
  played("UI-30 graph: 9 of 12 tasks are planned, and no part moves when one gets its node", "dag", (server) => {
    server.show(growingRun("dag", 3, "1"));
  }, async (page, server) => {
    const boxes = async () =>
      await page.locator(".part").evaluateAll((all) =>
        all.map((element) => [element.getAttribute("data-key"), element.getAttribute("transform")].join(" ")).sort()
      );
    await page.waitForSelector(".part.planned");
    assertEquals(await page.locator(".part.planned").count(), 9);
    assertEquals(await page.locator(".edge").count(), 11);
    const before = await boxes();
    server.show(growingRun("dag", 4, "2"));
    await awaitTrue(page, "document.querySelectorAll('.part.planned').length === 8");
    assertEquals(await boxes(), before);
  }, { theme: "dark" }),
  played("UI-31 graph: a loop of 1,000 is one stack, and ] selects the failed item", "thousand", (server) => {
    server.show(loopRun("thousand"));
  }, async (page) => {
    await page.waitForSelector(".part");
    assertEquals(await page.locator(".part").count(), 1);
    await page.locator("[data-fold]").click();
    await page.getByLabel("Filter items").fill("load(7");
    await page.locator('.stack-list [role=treegrid][aria-rowcount="111"]').waitFor();
    await awaitQuery(page, { stack: "thousand.load" });
    await page.goBack();
    await page.locator(".stack-list").waitFor({ state: "detached" });
    await page.keyboard.press("]");
    await page.waitForSelector(".node-panel");
    assertEquals(await texts(page, ".node-panel h2"), ["load(700:x)"]);
    assertEquals(await page.locator(".part").count(), 1);
    await page.waitForSelector(".part.selected, canvas");
  }),
  played("UI-34 graph: a search finds a node by name, and moves the view to it", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("load(7");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".part.selected");
    assertEquals(await page.locator(".part.selected .label").textContent(), "load(7:7)");
    assertEquals((await page.locator(".finder [role=status]").textContent())?.trim(), "1 of 1");
  }),
  played("UI-35 graph: f shows only failed parts and the boxes that contain them", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    await page.keyboard.press("f");
    await awaitTrue(page, "document.querySelectorAll('.part').length < 5");
    assertEquals((await texts(page, ".part .label")).sort(), ["check", "etl", "validate"]);
    await awaitQuery(page, { only: "failed" });
    await page.goBack();
    await awaitTrue(page, "document.querySelectorAll('.part').length > 5");
  }),
  played("UI-36 graph: c shows the critical path", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    await page.keyboard.press("c");
    await page.getByText("As a table").click();
    assertEquals(await texts(page, ".critical-table tbody td.name"), ["extract", "flaky", "deep", "count", "onExit"]);
    const times = await page.locator(".critical-table tbody tr").evaluateAll((all) =>
      all.map((element) => (element as unknown as { cells: { textContent: string }[] }).cells[3]!.textContent)
    );
    assertEquals(times, ["10s", "30s", "10s", "10s", "10s"]);
  }),
  played("UI-37 graph: three attempts are one part with a mark for each", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    const flaky = page.locator('.part[data-key="etl.flaky"]');
    await flaky.waitFor();
    assertEquals(await flaky.locator(".pips rect").count(), 3);
    await flaky.click();
    await page.waitForSelector(".attempts");
    assertEquals((await texts(page, ".attempts li")).length, 3);
  }),
  played(
    "UI-38 graph: next to a panel, buttons and minimap do not overlap, and leave the graph visible",
    "etl?nodeId=etl",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      await page.waitForSelector(".node-panel");
      // Zooms in until the minimap appears.
      for (let i = 0; i < 6; i++) await page.getByRole("button", { name: "Zoom in" }).click();
      await page.waitForSelector(".minimap");
      for (const width of [1024, 1240, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const boxes = await Promise.all(
          [".graph-frame", ".graph-tools", ".graph-exports", ".minimap"].map((selector) =>
            page.locator(selector).boundingBox()
          ),
        );
        const [frame, ...over] = boxes.map((box) => box!);
        const common = (a: typeof frame, b: typeof frame) =>
          Math.max(0, Math.min(a!.x + a!.width, b!.x + b!.width) - Math.max(a!.x, b!.x)) *
          Math.max(0, Math.min(a!.y + a!.height, b!.y + b!.height) - Math.max(a!.y, b!.y));
        for (const [i, box] of over.entries()) {
          for (const other of over.slice(i + 1)) {
            assertEquals(
              common(box, other),
              0,
              `at ${width} px they lie on each other`,
            );
          }
        }
        const covered = over.reduce((sum, box) => sum + common(frame, box), 0) / (frame!.width * frame!.height);
        assert(covered < 0.12, `at ${width} px ${Math.round(100 * covered)} % of the graph are covered`);
      }
    },
    { width: 1024 },
  ),
  played("UI-32 graph: 10,000 nodes are drawn, and a minimap shows the visible part", "large", (server) => {
    server.show(flatRun("large", 10_000));
  }, async (page) => {
    await page.waitForSelector(".graph-frame[data-drawn] .minimap-view");
    const corner = () => page.locator(".minimap-view").getAttribute("x");
    const before = await corner();
    const box = await page.locator(".minimap").boundingBox();
    await page.mouse.click(box!.x + box!.width - 4, box!.y + box!.height / 2);
    await awaitTrue(page, `document.querySelector(".minimap-view").getAttribute("x") !== ${JSON.stringify(before)}`);
    await page.getByRole("button", { name: "Fit" }).click();
    await awaitTrue(page, "document.querySelector('.graph-frame').dataset.drawn === 'canvas'");
  }),
  played(
    "UI-33 graph: a phase change of one of 10,000 nodes is drawn, and no part moves",
    "large?nodeId=t5000",
    (server) => {
      server.show(flatRun("large", 10_000));
    },
    async (page, server) => {
      await page.waitForSelector('.part.selected[data-key="large.t5000"].phase-done');
      const places = async () =>
        await page.locator(".part").evaluateAll((all) =>
          all.map((element) => [element.getAttribute("data-key"), element.getAttribute("transform")].join(" ")).sort()
        );
      const before = await places();
      assert(before.length > 3, "more than three nodes are drawn");
      const run = flatRun("large", 10_000);
      const { nodes = {} } = run.status!;
      const changed = { ...nodes, t5000: { ...nodes.t5000!, phase: "Failed" as const } };
      server.show(withVersion({ ...run, status: { ...run.status!, nodes: changed } }, "2"));
      await page.waitForSelector('.part.selected[data-key="large.t5000"].phase-failed');
      assertEquals(await places(), before);
    },
  ),
  played(
    "UI-38 graph: boxes are nested with their parts, and the exit handler is last",
    "etl",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      await page.waitForSelector(".part");
      const boxOf = async (key: string) => (await page.locator(`.part[data-key="${key}"]`).boundingBox())!;
      const [outer, inner] = [await boxOf("etl.check"), await boxOf("etl.check[1].validate")];
      assert(inner.x > outer.x && inner.x + inner.width < outer.x + outer.width, "validate is inside check");
      assert(inner.y > outer.y && inner.y + inner.height < outer.y + outer.height, "validate is inside check");
      const last = await boxOf("etl.onExit");
      assert(last.x >= outer.x + outer.width, "the exit handler is to the right of the box");
    },
  ),
  played("UI-38 graph: a graph that fits the frame is not covered by its toolbar", "flat", (server) => {
    server.show(flatRun("flat", 24));
  }, async (page) => {
    await page.waitForSelector(".part");
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Fit" }).click();
    const bar = (await page.locator(".graph-tools").boundingBox())!;
    const lowest = async () =>
      Math.max(
        ...(await Promise.all((await page.locator(".part").all()).map(async (locator) => {
          const { y, height } = (await locator.boundingBox())!;
          return y + height;
        }))),
      );
    assert(await lowest() <= bar.y, `${await lowest()} is below ${bar.y}`);
  }, { width: 1024, height: 600 }),
];

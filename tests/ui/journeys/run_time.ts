/** Journeys on one run: timeline, reasons to wait, large graphs, and how it is run again. */
import { assert, assertEquals } from "@std/assert";
import { explain } from "@tiphys/engine/explain";
import type { Pod, Workflow } from "@tiphys/model/api";
import { podNameOf } from "@tiphys/model/status";
import { awaitFact } from "../../await_fact.ts";
import { awaitQuery, chooseIn, openMenu } from "../browser.ts";
import type { Journey } from "../journey.ts";
import { address, awaitTrue, lines, played, texts } from "../played/played_journey.ts";
import { failedRun, flatRun, growingRun, withVersion } from "../played/played_runs.ts";

/** A waiting run, with other fields changed. */
function waiting(name: string, more: Partial<Workflow>): Workflow {
  const run = growingRun(name, 2, "1");
  return withVersion({ ...run, ...more, metadata: { ...run.metadata, ...more.metadata } });
}

const MUTEX = "data/Mutex/load";

export const RUN_TIME: readonly Journey[] = [
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
          all.map((one) => [one.getAttribute("data-key"), one.getAttribute("transform")].join(" ")).sort()
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
  played(
    "UI-39 keyboard: shortcuts do nothing while a dialog is open, and its opener gets the focus back",
    "etl",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      const button = page.getByRole("button", { name: "Retry…" });
      const dialog = page.getByRole("dialog", { name: "Retry etl" });
      await button.click();
      await dialog.waitFor();
      // A click on the text of a dialog leaves no element focused.
      await page.evaluate("document.activeElement.blur()");
      for (const key of ["f", "c", "2", "j"]) await page.keyboard.press(key);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.locator("button:focus").and(button).waitFor();
      await awaitQuery(page, { only: null, show: null, tab: null });
      await page.keyboard.press("Enter");
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.locator("button:focus").and(button).waitFor();
    },
  ),
  played("UI-40 phases: are distinguishable without colors, and in print", "etl?fold=-etl.load", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    const look = (key: string) =>
      page.locator(`.part[data-key="${key}"] .frame`).first().evaluate((mark) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle(of: unknown): { readonly strokeWidth: string; readonly strokeDasharray: string };
        };
        const { strokeWidth, strokeDasharray } = getComputedStyle(mark);
        return [mark.getAttribute("d") ?? mark.getAttribute("points"), strokeWidth, strokeDasharray].join(" ");
      });
    await page.emulateMedia({ forcedColors: "active" });
    assert(await look("etl.check[1].validate") !== await look("etl.extract"));
    // Elements whose meaning is only a color have an outline in print, or preserve their color.
    await page.keyboard.press("c");
    await page.waitForSelector(".flame-cause");
    const styleOf = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    assertEquals(await styleOf('.button[aria-pressed="true"]', "outlineStyle"), "solid");
    assertEquals(await styleOf(".flame-cause", "forcedColorAdjust"), "none");
    const [chosen, other] = await Promise.all(
      ["true", "false"].map((is) => styleOf(`[role="tab"][aria-selected="${is}"]`, "borderBottomColor")),
    );
    assert(chosen !== other, "the selected tab is distinguishable");
    await page.keyboard.press("c");
    await page.emulateMedia({ forcedColors: "none", media: "print" });
    assertEquals(await page.locator(".nav").isVisible(), false);
    assertEquals(await page.locator("h1").isVisible(), true);
    await page.emulateMedia({ media: "screen" });
  }),
  played(
    "UI-40 colors: the choice of colors by duration is in the URL, and phases remain distinguishable",
    "etl",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      await page.getByLabel("Colors of the graph").selectOption({ label: "Colors: duration" });
      await page.waitForSelector('.part.phase-failed.tinted[data-key="etl.check[1].validate"]');
      await page.getByRole("list", { name: "Colors by duration" }).getByText("≤ 30s").waitFor();
      await awaitQuery(page, { colour: "duration" });
      const [picture] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "PNG" }).click(),
      ]);
      assertEquals([...(await Deno.readFile(await picture.path())).subarray(1, 4)], [
        ...new TextEncoder().encode("PNG"),
      ]);
      await page.goBack();
      await page.waitForSelector('.part.phase-failed:not(.tinted)[data-key="etl.check[1].validate"]');
    },
  ),
  played("UI-41 events: have relative times, also after the end of the run", "dag?tab=events", (server) => {
    const run = growingRun("dag", 12, "1");
    const startedAt = "2026-01-01T00:00:00Z";
    server.show({
      ...run,
      status: { ...run.status, phase: "Succeeded", startedAt, finishedAt: "2026-01-01T00:05:00Z" },
    });
    server.stage.events = ["2026-01-01T00:00:10Z", "2026-01-01T00:09:00Z"].map((lastTimestamp, index) => ({
      type: "Normal",
      reason: ["Begun", "Told"][index],
      message: "something was",
      lastTimestamp,
      involvedObject: { kind: "Workflow", name: "dag" },
    }));
  }, async (page) => {
    const times = page.locator(".events td.number");
    await times.nth(1).waitFor();
    const shownTimes = await times.allInnerTexts();
    assert(shownTimes.every((text) => text.endsWith(" ago")), shownTimes.join(", "));
  }),
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
      all.map((one) => (one as unknown as { getBoundingClientRect(): { width: number } }).getBoundingClientRect().width)
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
      await page.locator('.part[data-key="etl.check"]').getAttribute("class").then((one) => one?.includes("planned")),
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
  played("UI-46 waiting node: shows the limit that blocks it, and its holders", "full?tab=tree", (server) => {
    const run = waiting("full", {});
    const [main, work] = run.spec.templates ?? [];
    const free = (main?.dag?.tasks ?? []).map((task) => ({ ...task, dependencies: [] }));
    const spec = { ...run.spec, templates: [{ ...main!, parallelism: 1, dag: { tasks: free } }, work!] };
    server.show({ ...run, spec });
    server.stage.reasons = undefined;
  }, async (page, _server, { expectStatus }) => {
    expectStatus(501);
    await page.getByRole("button", { name: "Why" }).click();
    const reason = page.locator(".reasons li", { hasText: "Slots" }).first();
    await reason.waitFor();
    assert(/parallelism 1 is used by t1/.test(await reason.innerText()), await reason.innerText());
  }),
  played("UI-47 waiting run: links to the run that holds the lock", "held?tab=tree", (server) => {
    const run = waiting("held", {});
    const mutex = { waiting: [{ mutex: MUTEX, holder: "data/etl" }] };
    const message = `Waiting for ${MUTEX} lock. Lock status: 0/1`;
    server.show({ ...run, status: { phase: "Pending", message, synchronization: { mutex } } });
    server.stage.reasons = undefined;
    server.show(growingRun("etl", 2, "1"));
  }, async (page, _server, { expectStatus }) => {
    expectStatus(501);
    await page.getByRole("button", { name: "Why" }).click();
    await page.locator(".reasons a", { hasText: "etl" }).click();
    await page.getByRole("heading", { name: "etl", exact: true }).waitFor();
  }),
  played("UI-48 unschedulable pod: shows the message of the scheduler, and what to do", "stuck", (server) => {
    const run = growingRun("stuck", 2, "1");
    const pending = { ...run.status!.nodes!.n1!, phase: "Pending" as const };
    const shown = { ...run, status: { ...run.status!, nodes: { ...run.status!.nodes!, n1: pending } } };
    server.show(shown);
    const message = "0/3 nodes are available: 3 Insufficient memory.";
    const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }];
    const pod = {
      metadata: { name: "stuck-work-1", annotations: { "workflows.argoproj.io/node-id": "n1" } },
      spec: { containers: [{ name: "main" }] },
      status: { phase: "Pending", conditions },
    } as unknown as Pod;
    server.stage.reasons = explain(shown, { pods: new Map([["n1", pod]]) }, new Date());
  }, async (page) => {
    await page.getByRole("button", { name: "Why" }).click();
    const reason = page.locator(".reasons li", { hasText: "Insufficient memory" });
    await reason.waitFor();
    assert((await reason.innerText()).includes("To unblock:"), await reason.innerText());
  }),
  played(
    "UI-51 retry: runs a succeeded node and its successors again, and no others",
    "etl",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page, server) => {
      await page.locator('.part[data-key="etl.extract"]').click();
      await page.waitForSelector(".node-panel");
      await page.keyboard.press("r");
      await page.waitForSelector(".plan ul li");
      const again = await texts(page, ".plan li");
      assert(again.some((text) => text.startsWith("extract")), again.join());
      await page.click(".dialog button[type=submit]");
      await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
      const { verb, body } = server.stage.actions[0]!;
      assertEquals([verb, body.restartSuccessful], ["retry", true]);
      assert(String(body.nodeFieldSelector).startsWith("id="));
      server.show(withVersion(server.stage.runs.get("etl")!, "2"));
    },
  ),
  played("UI-51 retry: nodes selected by their fields run again in addition to failed ones", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page, server) => {
    await page.keyboard.press("r");
    await page.locator(".plan").getByText("2 nodes run again").waitFor();
    await page.locator(":focus", { hasText: "Retry etl" }).waitFor();
    const selector = page.getByLabel("Succeeded nodes to run again");
    await selector.fill("colour=red");
    await page.getByRole("alert").getByText("Expected a field of nodes").waitFor();
    assert(await page.locator(".dialog button[type=submit]").isDisabled());
    await selector.fill("displayName=deep");
    await page.locator(".plan li", { hasText: "deep" }).waitFor();
    const again = ["deep Succeeded", "count Succeeded", "validate Failed", "etl.onExit Succeeded"];
    assertEquals(await texts(page, ".plan li"), again);
    await page.click(".dialog button[type=submit]");
    await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
    const { verb, body } = server.stage.actions[0]!;
    assertEquals([verb, body.restartSuccessful, body.nodeFieldSelector], ["retry", true, "displayName=deep"]);
    server.show(withVersion(server.stage.runs.get("etl")!, "2"));
  }),
  played("UI-54 resubmit: reusing results with new parameters shows a warning", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page, server) => {
    await chooseIn(page, "More", "Resubmit…");
    await page.getByLabel("Reuse the results of succeeded nodes").check();
    await page.locator(".plan li", { hasText: "extract" }).waitFor();
    const kept = await texts(page, ".plan li");
    assert(kept.includes("extract") && kept.includes("deep") && !kept.includes("validate"), kept.join());
    await page.selectOption(".dialog select", "us");
    await page.getByText("keep the outputs that they produced with the old parameters").waitFor();
    await page.click(".dialog button[type=submit]");
    await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
    const { verb, body } = server.stage.actions[0]!;
    assertEquals([verb, body.memoized, body.parameters], ["resubmit", true, ["region=us"]]);
  }),
  played(
    "UI-54 resubmit: a URL opens the dialog with its options, on a narrow page",
    "etl?sidePanel=resubmit",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      await page.locator(":focus", { hasText: "Resubmit etl" }).waitFor();
      await page.getByLabel("Reuse the results of succeeded nodes").check();
      await page.locator(".plan li", { hasText: "extract" }).waitFor();
    },
    { width: 390, height: 844 },
  ),
  played(
    "UI-54 actions: those that the user may not use on a run are disabled, with the missing rights, also in a dialog",
    "etl",
    async (server) => {
      server.show(await failedRun("etl"));
      const rule = { group: "argoproj.io", resource: "workflows" };
      server.stage.lacks = { delete: [{ ...rule, verb: "delete" }], resubmit: [{ ...rule, verb: "create" }] };
    },
    async (page) => {
      await page.getByText("Delete: you lack the right to delete workflows.argoproj.io.").waitFor();
      await openMenu(page, "More");
      assert(await page.getByRole("button", { name: "Delete" }).isDisabled());
      assert(await page.getByRole("button", { name: "Resubmit…", exact: true }).isDisabled());
      assert(await page.getByRole("button", { name: "Retry…" }).isEnabled());
      await page.goto(`${page.url()}?sidePanel=resubmit`);
      await page.locator(".dialog").getByText("You lack the right to create workflows.argoproj.io.").waitFor();
      await page.locator(".dialog li, .dialog .plan").first().waitFor();
      assert(await page.locator(".dialog button[type=submit]").isDisabled());
    },
  ),
  played("UI-54 actions: the line of missing rights names the visible buttons", "dag", (server) => {
    server.show(growingRun("dag", 4, "2"));
    const right = [{ group: "argoproj.io", resource: "workflows", verb: "update" }];
    server.stage.lacks = { resume: right, suspend: right, retry: right, stop: right };
  }, async (page) => {
    await page.getByText("Suspend, Stop: you lack the right to update workflows.argoproj.io.", { exact: true })
      .waitFor();
  }),
  played(
    "UI-58 log: End shows the last of 200,000 lines, and a search finds one of them",
    "etl?tab=logs&sidePanel=logs::main",
    async (server) => {
      server.show(await failedRun("etl"));
      server.stage.lines = lines(200_000);
    },
    async (page) => {
      await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('200,000 lines')");
      await page.focus(".log");
      await page.keyboard.press("Home");
      await page.locator(".log-line .log-text", { hasText: /^line 0$/ }).waitFor();
      await page.keyboard.press("End");
      await page.locator(".log-line .log-text", { hasText: /^line 199999$/ }).waitFor();
      await page.fill('[aria-label="Find in the log"]', "LINE 123456");
      await awaitTrue(page, "document.querySelector('.tools [role=status]')?.textContent.trim() === '1'");
      await page.keyboard.press("Enter");
      await page.locator(".log-line.hit .log-text", { hasText: /^line 123456$/ }).waitFor();
    },
  ),
  played(
    "UI-59 log: JSON lines are shown in columns, similar lines are folded, and a link restores both",
    "etl?tab=logs&sidePanel=logs::main",
    async (server) => {
      server.show(await failedRun("etl"));
      server.stage.lines = [
        ...lines(6),
        ...lines(2).map(({ podName }, i) => ({
          podName,
          content: `2026-01-01T00:01:0${i}.000000001Z ${
            JSON.stringify({ level: i ? "error" : "info", http: { status: 500 + i }, msg: "hello" })
          }`,
        })),
      ];
    },
    async (page) => {
      await page.getByLabel("Fold similar").check();
      await page.getByRole("button", { name: "6 similar" }).waitFor();
      await page.getByText("Columns").click();
      await page.getByLabel("level").check();
      await page.getByLabel("http.status").check();
      await page.keyboard.press("Escape");
      await page.getByLabel("http.status").waitFor({ state: "hidden" });
      await awaitQuery(page, { fields: "level,http.status", alike: "folded" });
      await page.reload();
      await page.waitForSelector(".log-field.ansi-red");
      const shown = () => texts(page, ".log-rows .log-line > :is(.log-text, .log-field, .log-alike)");
      assertEquals(await shown(), ["6 similar", "line 0", "info", "500", "error", "501"]);
      await page.getByRole("button", { name: "6 similar" }).click();
      await page.getByText("line 5").waitFor();
      assertEquals((await shown()).length, 11);
    },
  ),
  played(
    "UI-59 log: the button of folded lines has the focus while the log is scrolled a little",
    "etl?tab=logs&sidePanel=logs::main&alike=folded",
    async (server) => {
      server.show(await failedRun("etl"));
      server.stage.lines = lines(400).map(({ podName, content }, index) => ({
        podName,
        content: `${content.split(" ")[0]} ${
          index < 390 ? "no two are the same ".repeat(index % 3) + "a".repeat(index) : "alike 1"
        }`,
      }));
    },
    async (page) => {
      const button = page.getByRole("button", { name: "10 similar" });
      await button.waitFor();
      await button.click();
      await page.locator('.log-alike[aria-expanded="true"]').waitFor();
      const top = await page.evaluate<number>("document.querySelector('.log').scrollTop");
      await page.locator(".log").hover();
      await page.mouse.wheel(0, 40);
      await awaitTrue(page, `document.querySelector('.log').scrollTop > ${top}`);
      // Scroll events are dispatched with the next frame.
      await page.evaluate(
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))",
      );
      assertEquals(await page.evaluate("document.activeElement.className"), "log-alike");
    },
  ),
  played("UI-60 log: scrolling up stops following, and End resumes it", "dag?tab=logs", (server) => {
    server.show(growingRun("dag", 4, "2"));
    server.stage.lines = lines(3000);
  }, async (page) => {
    await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('3,000 lines')");
    const follow = page.getByLabel("Follow");
    assertEquals(await follow.isChecked(), true);
    await page.mouse.move(700, 600);
    await page.mouse.wheel(0, -2000);
    await awaitTrue(page, "!document.querySelector('.logs .toggle:last-of-type input').checked");
    await page.focus(".log");
    await page.keyboard.press("End");
    await page.locator(".log-line .log-text", { hasText: /^line 2999$/ }).waitFor();
    await page.locator(".logs .toggle:last-of-type input:checked").waitFor();
  }),
  played(
    "UI-60 log: a focused line stays in view while the log grows",
    "dag?tab=logs",
    (server) => {
      server.show(growingRun("dag", 4, "2"));
      server.stage.lines = lines(300);
    },
    async (page, server) => {
      const grow = async (count: number) => {
        server.stage.lines = lines(count);
        server.cutLogs();
        await awaitTrue(page, `document.querySelector('.log-foot')?.textContent.startsWith('${count} lines')`);
      };
      const text = (line: number) => page.locator(".log-line .log-text", { hasText: new RegExp(`^line ${line}$`) });
      await text(299).waitFor();
      await page.getByRole("link", { name: "Line 299", exact: true }).focus();
      await grow(400);
      await awaitTrue(
        page,
        `(() => {
        const line = document.activeElement, log = document.querySelector(".log").getBoundingClientRect();
        const { top, bottom } = line.getBoundingClientRect();
        return line.textContent === "299" && top >= log.top && bottom <= log.bottom;
      })()`,
      );
      await page.keyboard.press("ArrowDown");
      await awaitTrue(page, "document.activeElement.textContent === '300'");
      await page.getByLabel("Find in the log").focus();
      await text(399).waitFor();
      // If a focused line is scrolled out of view, the log itself gets the focus, so that keys scroll it.
      await page.getByRole("link", { name: "Line 399", exact: true }).focus();
      await page.mouse.move(700, 600);
      await page.mouse.wheel(0, -2000);
      await awaitTrue(page, "document.activeElement.matches('.log')");
    },
  ),
  played(
    "UI-63 log: a log that is no longer available shows the reason and the setting that helps",
    "etl?tab=logs&sidePanel=logs::main",
    async (server) => {
      server.show(await failedRun("etl"));
      server.stage.lines = [];
    },
    async (page) => {
      await page.getByText("No log lines are available").waitFor();
      await page.getByText("archiveLogs: true").waitFor();
    },
  ),
];

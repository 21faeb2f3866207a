/** Journeys on one run: its head, its nodes, the keyboard, and small screens. */
import { assert, assertEquals } from "@std/assert";
import type { NodeStatus, Template, Workflow } from "@tiphys/model/api";
import { podNameOf } from "@tiphys/model/status";
import { resumedBy } from "../../../lib/engine/workflow_actions/actor.ts";
import { awaitFact } from "../../await_fact.ts";
import { awaitQuery } from "../browser.ts";
import type { Journey } from "../journey.ts";
import { awaitSettled, awaitTrue, lines, played, texts } from "../played/played_journey.ts";
import { failedRun, growingRun, withVersion } from "../played/played_runs.ts";

export const RUN: readonly Journey[] = [
  played("UI-25 failed run: shows which node failed, and its message", "etl", async (server) => {
    const run = await failedRun("etl");
    const node = Object.values(run.status?.nodes ?? {}).find(({ displayName }) => displayName === "validate");
    const content = "2026-01-01T00:00:01.000000001Z 2 rows have no id, in line 7";
    server.stage.lines = [{ podName: podNameOf(run, node!), content }];
    server.show(run);
  }, async (page) => {
    const text = await page.locator(".sentence-text").textContent();
    assertEquals(text, "validate failed: exit code 3: 2 rows have no id");
    await page.click(".sentence-text a");
    await page.waitForSelector(".node-panel");
    assertEquals(await texts(page, ".node-panel h2"), ["validate"]);
    // A link leads from the sentence to the log of the pod.
    await page.locator(".sentence").getByRole("link", { name: "Logs" }).click();
    await page.waitForSelector("#tab-logs[aria-selected=true]");
    await page.getByText("2 rows have no id, in line 7").waitFor();
  }),
  played(
    "UI-25 failed run: at 1024 by 768, its graph and the end of its log are visible, and header and tabs take 160 pixels",
    "etl-nightly-20261129-x8k2p",
    async (server) => {
      const run = await failedRun("etl-nightly-20261129-x8k2p");
      const node = Object.values(run.status?.nodes ?? {}).find(({ displayName }) => displayName === "validate");
      server.stage.lines = lines(40).map((line) => ({ ...line, podName: podNameOf(run, node!) }));
      const labels = {
        "workflows.argoproj.io/creator": "ada",
        "workflows.argoproj.io/workflow-template": "etl-of-each-night",
      };
      const conditions = [{ type: "MetricsError", status: "True" as const, message: "no such value ".repeat(40) }];
      server.show({ ...run, metadata: { ...run.metadata, labels }, status: { ...run.status, conditions } });
    },
    async (page, server) => {
      const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
      await page.locator(".tail li").last().waitFor();
      const tools = await boxOf(".run-tools");
      assert(tools.y + tools.height <= 160, `head and tabs take ${tools.y + tools.height} pixels`);
      const [tail, last] = [await boxOf(".tail"), await boxOf(".tail li:last-child")];
      assert(last.y + last.height <= tail.y + tail.height, "the last line is below the end of the list");
      const [frame, failed] = [await boxOf(".graph-frame"), await boxOf(".part.selected")];
      assert(frame.height >= 280, `the graph has ${frame.height} pixels`);
      assert(failed.y >= frame.y && failed.y + failed.height <= frame.y + frame.height, "the failure is not in view");
      assert(await page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the page scrolls");
      const long = await failedRun("etl-nightly-20261129-x8k2p");
      const nodes = Object.values(long.status?.nodes ?? {}).map((node): NodeStatus => ({
        ...node,
        ...(node.message === undefined ? {} : { message: `${node.message}${" no id".repeat(40)}` }),
      }));
      server.show(
        withVersion({
          ...long,
          status: { ...long.status, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) },
        }, "2"),
      );
      await page.locator(".sentence-text").getByText("no id no id").waitFor();
      await page.locator("#tab-events").click();
      await awaitQuery(page, { tab: "events" });
      const later = await boxOf(".run-tools");
      assert(later.y + later.height <= 160, `with a long message, head and tabs take ${later.y + later.height} pixels`);
    },
    { width: 1024, height: 768 },
  ),
  played(
    "UI-26 bookmarks: a URL of Argo's page opens the node, the panel and the container's log",
    "etl?nodeId=etl&nodePanelView=inputs-outputs&sidePanel=logs:etl:wait",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page, server) => {
      await page.waitForSelector("#tab-logs[aria-selected=true]");
      await page.waitForSelector("#panel-tab-inputs-outputs[aria-selected=true]");
      await awaitFact("the log of its container is requested", () => {
        return server.stage.logQueries.at(-1)?.get("logOptions.container") === "wait";
      }, { seconds: 30 });
    },
  ),
  played("UI-39 keyboard: a node is selected, its log opened, and the way back works", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    await page.waitForSelector(".part.selected");
    await page.focus(".graph-frame");
    // Keys start at the selected part, the failed one.
    for (const key of ["ArrowLeft", "Enter"]) await page.keyboard.press(key);
    await page.waitForSelector(".node-panel");
    assertEquals(await texts(page, ".node-panel h2"), ["deep"]);
    await page.keyboard.press("l");
    await page.waitForSelector(".logs");
    await page.goBack();
    await page.waitForSelector(".graph-frame");
    await page.keyboard.press("Escape");
    await awaitTrue(page, "!document.querySelector('.node-panel')");
  }),
  played(
    "UI-39 keyboard: arrow keys move along the rows of a tree, and into and out of expanded rows",
    "etl?tab=tree",
    async (server) => {
      server.show(await failedRun("etl"));
    },
    async (page) => {
      const count = () => page.locator(".rows-box").getAttribute("aria-rowcount");
      const rows = await count();
      await page.focus(".rows-box");
      const walked: (string | null)[] = [];
      for (const key of ["Home", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "End", "ArrowUp", "Home"]) {
        await page.keyboard.press(key);
        await awaitSettled(page);
        walked.push(await page.locator("[aria-selected=true] .node-label").textContent());
      }
      // The second ArrowLeft collapses the first row, and the second ArrowRight expands it again.
      assertEquals(walked, ["etl", "extract", "etl", "etl", "etl", "etl.onExit", "report", "etl"]);
      assertEquals(await count(), rows);
    },
  ),
  played(
    "UI-26 node panel: shows the cache, the failure, the containers and the events",
    "etl?tab=tree",
    (server) => {
      const startedAt = "2026-01-01T00:00:00Z";
      const finishedAt = "2026-01-01T00:01:00Z";
      const node = (path: string, more: Partial<NodeStatus>): NodeStatus => {
        const name = path === "" ? "etl" : `etl.${path}`;
        const all = { id: name, name, displayName: path || name, startedAt, finishedAt, phase: "Failed" as const };
        return { ...all, type: "Pod", boundaryID: "etl", templateName: "work", ...more };
      };
      const nodes = [
        node("", { type: "DAG", templateName: "main", boundaryID: undefined, children: ["etl.load", "etl.made"] }),
        node("load", { type: "Retry", children: ["etl.load(0)", "etl.load(1)"] }),
        node("load(0)", { hostNodeName: "node-7", nodeFlag: { retried: true } }),
        node("load(1)", { hostNodeName: "node-9", nodeFlag: { retried: true } }),
        node("made", {
          phase: "Succeeded",
          memoizationStatus: { hit: true, key: "rows-eu", cacheName: "etl-cache" },
        }),
        node("gate", {
          type: "Suspend",
          templateName: "gate",
          phase: "Succeeded",
          message: resumedBy({ email: "ann@b.c" }),
        }),
      ];
      const secretKeyRef = { name: "store", key: "password" };
      const work: Template = {
        name: "work",
        initContainers: [{ name: "prep", image: "busybox", command: ["echo", "a b"] }],
        container: {
          image: "alpine",
          command: ["load"],
          env: [{ name: "PASSWORD", valueFrom: { secretKeyRef } }],
          resources: { limits: { memory: "1Gi" } },
        },
        sidecars: [{ name: "db", image: "postgres" }],
      };
      const run: Workflow = withVersion({
        metadata: { name: "etl" },
        spec: {
          entrypoint: "main",
          templates: [{ name: "main", dag: { tasks: [] } }, work, { name: "gate", suspend: {} }],
        },
        status: {
          phase: "Failed",
          startedAt,
          finishedAt,
          nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
        },
      });
      server.show(run);
      const event = (minute: number, kind: string, name: string, message: string) => ({
        type: "Normal",
        reason: "Told",
        message,
        lastTimestamp: `2026-01-01T00:0${minute}:00Z`,
        involvedObject: { kind, name },
      });
      server.stage.events = [
        event(1, "Workflow", "etl", "Failed node etl.load(0): exit 1"),
        event(2, "Workflow", "etl", "Workflow completed"),
        event(0, "Pod", podNameOf(run, nodes[2]!), "Pulled"),
      ];
    },
    async (page) => {
      const panel = page.locator(".node-panel");
      const choose = (name: RegExp) => page.getByRole("row", { name }).first().click();
      await choose(/made/);
      await panel.getByText("rows-eu").waitFor();
      await panel.getByText("etl-cache").waitFor();
      await choose(/gate/);
      await panel.getByText("ann@b.c", { exact: true }).waitFor();
      await panel.getByText("Waited").waitFor();
      await choose(/load/);
      await panel.getByText("node-7, node-9").waitFor();
      await panel.getByRole("tab", { name: "Containers" }).click();
      assertEquals(await texts(page, ".node-panel h3"), ["prep", "main", "db"]);
      await panel.getByText("PASSWORD=(secret store/password)").waitFor();
      await panel.getByText("echo 'a b'").waitFor();
      await panel.getByText("memory 1Gi").waitFor();
      await panel.getByRole("button", { name: "Events" }).click();
      await awaitQuery(page, { tab: "events", sidePanel: "events:etl.load" });
      await page.locator(".events tbody tr").nth(1).waitFor();
      // The newest event is first. The run itself is called `the run`, because its name is in the heading.
      assertEquals(await texts(page, ".events tbody td:nth-child(3)"), ["the run", "load(0)"]);
      await page.getByRole("link", { name: "Remove the filter node: load" }).click();
      await page.locator(".events tbody tr").nth(2).waitFor();
      await panel.getByRole("link", { name: "Log of db" }).click();
      await awaitQuery(page, { tab: "logs", sidePanel: "logs:etl.load(1):db" });
    },
  ),
  played("UI-85 small screen: the tree is the default view, and the panel is a sheet", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    await page.waitForSelector("#tab-tree[aria-selected=true]");
    await page.click('.node-row:has-text("extract")');
    const sheet = await page.locator(".node-panel").boundingBox();
    assertEquals([sheet?.x, sheet?.width], [0, 390]);
    await awaitSettled(page);
  }, { width: 390, height: 844 }),
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
];

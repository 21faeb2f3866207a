/** Journeys on the page of one run, with the played server. */
import { assert, assertEquals } from "@std/assert";
import type { NodeStatus, Template, Workflow } from "@tiphys/model/api";
import { podNameOf } from "@tiphys/model/status";
import { resumedBy } from "../../../lib/engine/workflow_actions/actor.ts";
import { awaitFact } from "../../await_fact.ts";
import { awaitQuery } from "../browser.ts";
import type { Journey } from "../journey.ts";
import { awaitSettled, awaitTrue, lines, played, texts } from "../played/played_journey.ts";
import { failedRun, growingRun, loopRun, waitingRun, withVersion } from "../played/played_runs.ts";

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
  played("UI-30 graph: 9 of 12 tasks are planned, and no part moves when one gets its node", "dag", (server) => {
    server.show(growingRun("dag", 3, "1"));
  }, async (page, server) => {
    const boxes = async () =>
      await page.locator(".part").evaluateAll((all) =>
        all.map((one) => [one.getAttribute("data-key"), one.getAttribute("transform")].join(" ")).sort()
      );
    await page.waitForSelector(".part.planned");
    assertEquals(await page.locator(".part.planned").count(), 9);
    assertEquals(await page.locator(".edge").count(), 11);
    const before = await boxes();
    server.show(growingRun("dag", 4, "2"));
    await awaitTrue(page, "document.querySelectorAll('.part.planned').length === 8");
    assertEquals(await boxes(), before);
  }, { theme: "dark" }),
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
      all.map((one) => (one as unknown as { cells: { textContent: string }[] }).cells[3]!.textContent)
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
          [".graph-frame", ".graph-tools", ".graph-exports", ".minimap"].map((one) => page.locator(one).boundingBox()),
        );
        const [frame, ...over] = boxes.map((box) => box!);
        const common = (a: typeof frame, b: typeof frame) =>
          Math.max(0, Math.min(a!.x + a!.width, b!.x + b!.width) - Math.max(a!.x, b!.x)) *
          Math.max(0, Math.min(a!.y + a!.height, b!.y + b!.height) - Math.max(a!.y, b!.y));
        for (const [i, one] of over.entries()) {
          for (const other of over.slice(i + 1)) {
            assertEquals(
              common(one, other),
              0,
              `at ${width} px they lie on each other`,
            );
          }
        }
        const covered = over.reduce((sum, one) => sum + common(frame, one), 0) / (frame!.width * frame!.height);
        assert(covered < 0.12, `at ${width} px ${Math.round(100 * covered)} % of the graph are covered`);
      }
    },
    { width: 1024 },
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
    "UI-60 log: a copied selection includes lines that are not drawn",
    "dag?tab=logs&line=10",
    (server) => {
      server.show(growingRun("dag", 4, "2"));
      server.stage.lines = lines(1000);
    },
    async (page, _server, { context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('1,000 lines')");
      const text = (line: number) => page.locator(`[data-line="${line}"] .log-text`);
      const copied = async () => {
        await page.keyboard.press("Control+c");
        return await page.evaluate("navigator.clipboard.readText()") as string;
      };
      const scrollTo = async (line: number) => {
        await page.locator(".log").evaluate(
          (box, top) => (box as unknown as { scrollTop: number }).scrollTop = top,
          line * 20,
        );
        await text(line).waitFor();
      };
      await text(9).click({ position: { x: 1, y: 8 } });
      await scrollTo(700);
      await text(705).click({ position: { x: 1, y: 8 }, modifiers: ["Shift"] });
      const expected = Array.from({ length: 696 }, (_, index) => index === 696 - 1 ? "line 704" : `line ${index + 9}`);
      assertEquals((await copied()).trimEnd().split("\n"), expected);
      // Scrolls to a position where neither end of the selection is drawn, and back.
      await scrollTo(300);
      assertEquals((await copied()).trimEnd().split("\n"), expected);
      await scrollTo(5);
      assertEquals(await page.evaluate("getSelection().toString().split('\\n')[0]"), "line 9");
      await page.focus(".log");
      await page.keyboard.press("Control+a");
      const all = (await copied()).split("\n");
      assertEquals([all.length, all[0], all.at(-1)], [1000, "line 0", "line 999"]);
    },
  ),
  played(
    "UI-59 log: wrapped lines are shown completely, and each can be scrolled to",
    "dag?tab=logs&wrap=on&line=151",
    (server) => {
      server.show(growingRun("dag", 4, "2"));
      server.stage.lines = lines(400).map(({ podName, content }) => ({
        podName,
        content: `${content} ${"long ".repeat(200)}`,
      }));
    },
    async (page) => {
      await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('400 lines')");
      const isSeen = (line: number, whole = true) =>
        awaitFact(`line ${line} is in view`, () =>
          page.evaluate(`(() => {
          const box = document.querySelector(".log").getBoundingClientRect();
          const row = document.querySelector('[data-line="${line}"]')?.getBoundingClientRect();
          return row !== undefined && row.height > 40 && row.top >= box.top - 2 && ${
            whole ? "row.bottom <= box.bottom + 2" : "row.top < box.bottom"
          };
        })()`), { seconds: 20 });
      await isSeen(150, false);
      await page.focus(".log");
      await page.keyboard.press("End");
      await isSeen(399);
      for (const line of [350, 201, 87, 13]) {
        await page.evaluate(`(() => {
        const box = document.querySelector(".log");
        box.scrollTop = ${line} / 400 * (box.scrollHeight - box.clientHeight);
      })()`);
        await isSeen(line, false);
      }
      await page.keyboard.press("Home");
      await isSeen(0);
      // Keys move between line numbers, and scroll their lines into view.
      await page.getByRole("link", { name: "Line 1", exact: true }).focus();
      await page.keyboard.press("End");
      await isSeen(399, false);
      await page.getByRole("checkbox", { name: "Wrap" }).uncheck();
      await awaitQuery(page, { wrap: null });
    },
  ),
  played(
    "UI-26 log: shows times in a time zone, containers by name, and a note that pods will be deleted",
    "dag?tab=logs&zone=Asia%2FTokyo",
    (server) => {
      const run = growingRun("dag", 4, "2");
      const templates = run.spec.templates!.map((template) =>
        template.name === "work" ? { ...template, sidecars: [{ name: "db", image: "postgres" }] } : template
      );
      server.show({ ...run, spec: { ...run.spec, templates, podGC: { strategy: "OnPodCompletion" } } });
      server.stage.lines = [{
        podName: "pod-0",
        content: '2026-01-01T20:00:00.000000001Z time="2026-01-01T20:00:00Z" level=info',
      }];
    },
    async (page) => {
      await page.locator(".log-text", { hasText: 'time="2026-01-02T05:00:00.000" level=info' }).waitFor();
      assertEquals(await texts(page, ".log-time"), ["05:00:00.000"]);
      await page.getByText("podGC: OnPodCompletion").waitFor();
      const containers = page.getByRole("combobox", { name: "Container" });
      assertEquals(await containers.locator("option").allTextContents(), ["main", "db", "supervisor", "init", "wait"]);
      await page.getByRole("combobox", { name: "Time zone" }).selectOption("UTC");
      await page.locator(".log-time", { hasText: "20:00:00.000" }).waitFor();
      await awaitQuery(page, { zone: "UTC" });
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
          nodes: Object.fromEntries(nodes.map((one) => [one.id, one])),
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
  played(
    "UI-49 approval: a choice is submitted to the waiting node, and only that node continues",
    "approval",
    (server) => {
      server.show(waitingRun("approval"));
    },
    async (page, server) => {
      await page.click(".sentence-text a");
      await page.waitForSelector(".resume");
      assertEquals(await texts(page, ".resume option"), ["Choose…", "yes", "no"]);
      assertEquals(await page.locator(".resume select").inputValue(), "");
      assert(await page.locator(".resume button[type=submit]").isDisabled());
      await page.selectOption(".resume select", "yes");
      await page.click(".resume button[type=submit]");
      await awaitFact("the node was resumed", () => server.stage.actions.some(({ verb }) => verb === "resume"), {
        seconds: 60,
      });
      assertEquals(
        server.stage.actions.map(({ verb, body }) => [verb, body.nodeFieldSelector, body.outputParameters]),
        [
          ["set", "id=gate", '{"go":"yes"}'],
          ["resume", "id=gate", undefined],
        ],
      );
      server.show(withVersion(server.stage.runs.get("approval")!, "2"));
    },
  ),
  played("UI-49 approval: several checked choices are submitted as a list", "approval", (server) => {
    const run = waitingRun("approval");
    const gate = run.status!.nodes!.gate!;
    const inputs = { parameters: [{ name: "go", value: '["no"]', enum: ["yes", "no"] }] };
    server.show({ ...run, status: { ...run.status, nodes: { ...run.status!.nodes, gate: { ...gate, inputs } } } });
  }, async (page, server) => {
    await page.click(".sentence-text a");
    const boxes = page.getByRole("group", { name: "go" });
    await boxes.getByRole("checkbox", { name: "yes" }).check();
    await page.click(".resume button[type=submit]");
    await awaitFact("the node was resumed", () => server.stage.actions.some(({ verb }) => verb === "resume"), {
      seconds: 60,
    });
    assertEquals(server.stage.actions[0]?.body.outputParameters, JSON.stringify({ go: '["yes"]' }));
    server.show(withVersion(server.stage.runs.get("approval")!, "2"));
  }),
  ...(["retry", "resubmit"] as const).map((verb) =>
    played(`UI-50 ${verb}: submits several choices as a list`, `etl?sidePanel=${verb}`, async (server) => {
      const run = await failedRun("etl");
      const parameters = [{ name: "region", value: "[]", enum: ["eu", "us"] }];
      server.show({ ...run, spec: { ...run.spec, arguments: { parameters } } });
    }, async (page, server) => {
      const boxes = page.getByRole("dialog").getByRole("group", { name: "region" });
      for (const name of ["us", "eu"]) await boxes.getByRole("checkbox", { name }).check();
      await page.click(".dialog button[type=submit]:enabled");
      await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
      assertEquals([server.stage.actions[0]?.verb, server.stage.actions[0]?.body.parameters], [verb, [
        'region=["eu","us"]',
      ]]);
    })
  ),
  played("UI-50 retry: the preview lists what will run again", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page, server) => {
    server.stage.actions.length = 0;
    await page.keyboard.press("r");
    await page.waitForSelector(".plan ul li");
    assertEquals(await texts(page, ".plan li"), ["validate Failed", "etl.onExit Succeeded"]);
    await page.locator(".plan").getByText("1 skipped node is evaluated again").waitFor();
    await page.selectOption(".dialog select", "us");
    await page.click(".dialog button[type=submit]");
    await awaitFact("the request was sent", () => server.stage.actions.length === 1, { seconds: 60 });
    assertEquals(server.stage.actions[0]?.verb, "retry");
    assertEquals(server.stage.actions[0]?.body.parameters, ["region=us"]);
    server.show(withVersion(server.stage.runs.get("etl")!, "2"));
  }),
  played("UI-56 log: after three interruptions, every line is shown exactly once", "dag?tab=logs", (server) => {
    server.show(growingRun("dag", 4, "2"));
    server.stage.lines = lines(1000);
    server.stage.cuts = [250, 300, 400];
  }, async (page) => {
    await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('1,000 lines')");
    await page.keyboard.press("Escape");
    await page.locator(".log-line .log-text", { hasText: /^line 999$/ }).waitFor();
  }),
  played("UI-56 log: is requested once, in parallel with its run", "dag?tab=logs", (server) => {
    server.show(growingRun("dag", 4, "2"));
    server.stage.lines = lines(100);
    // The response with the run waits for the request of the log. A page that requests one after the other would never
    // finish.
    server.stage.beforeRun = new Promise((resolve) => server.stage.onLog = resolve);
  }, async (page, server) => {
    await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('100 lines')");
    assertEquals(server.stage.logQueries.length, 1);
  }),
  played(
    "UI-57 log: of 100,000 lines with five interruptions, every line is shown exactly once",
    "dag?tab=logs",
    (server) => {
      server.show(growingRun("dag", 4, "2"));
      server.stage.lines = lines(100_000);
      server.stage.cuts = [20_000, 20_000, 20_000, 20_000, 10_000];
    },
    async (page, server) => {
      await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('100,000 lines')");
      assertEquals(server.stage.cuts, []);
      const [download] = await Promise.all([page.waitForEvent("download"), page.click('button:has-text("Download")')]);
      const text = await Deno.readTextFile(await download.path());
      const wanted = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join("");
      assert(text === wanted, `${text.length} characters, expected ${wanted.length}`);
    },
  ),
  played(
    "UI-62 log: that of a pod that is deleted while it is open remains, and continues from the archive",
    "dag?tab=logs",
    (server) => {
      server.show(growingRun("dag", 4, "2"));
      server.stage.lines = lines(1500).map(({ content }) => ({ podName: "pod-0", content })).slice(0, 600);
    },
    async (page, server) => {
      await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('600 lines')");
      // The archived log is complete, and has no times.
      server.stage.lines = Array.from({ length: 900 }, (_, i) => ({ podName: "pod-0", content: `line ${i}` }));
      server.cutLogs();
      await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('900 lines')");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click('button:has-text("Download")')]);
      const text = await Deno.readTextFile(await download.path());
      assertEquals(text, Array.from({ length: 900 }, (_, i) => `line ${i}\n`).join(""));
    },
  ),
  played(
    "UI-59 log: shows colors, a progress bar, a line of 2 MB, and binary data",
    "etl?tab=logs&sidePanel=logs::main",
    async (server) => {
      server.show(await failedRun("etl"));
      server.stage.lines = [
        { podName: "p", content: "2026-01-01T00:00:00Z \x1b[31mred\x1b[0m plain" },
        { podName: "p", content: "2026-01-01T00:00:01Z 10%\r55%\r100%" },
        { podName: "p", content: `2026-01-01T00:00:02Z ${"x".repeat(2 << 20)}` },
        { podName: "p", content: "2026-01-01T00:00:03Z a\0b" },
      ];
    },
    async (page) => {
      await awaitTrue(page, "document.querySelectorAll('.log-text').length === 4");
      const [red, bar, long, binary] = await texts(page, ".log-text");
      assertEquals([red, bar, binary], ["red plain", "100%", "a␀b"]);
      assert(long!.length < 11_000 && long!.includes("more characters"));
      assertEquals(await texts(page, ".ansi-red"), ["red"]);
      const whole = page.getByRole("button", { name: "2,097,152 characters" });
      await whole.click();
      await page.evaluate("navigator.clipboard.writeText = (text) => (globalThis.copied = text, Promise.resolve())");
      await page.getByRole("button", { name: "Copy the line" }).click();
      assertEquals(await page.evaluate("copied === 'x'.repeat(2 << 20)"), true);
      const drawn = page.locator('[data-line="2"] .log-text');
      assert((await drawn.textContent())!.startsWith("x".repeat(1 << 20)));
      await drawn.getByText("… 1,048,576 more characters: download it").waitFor();
      await whole.press("Enter");
      await page.getByRole("button", { name: "Copy the line" }).waitFor({ state: "detached" });
      assert((await drawn.textContent())!.length < 11_000);
      await whole.click();
    },
    { theme: "dark" },
  ),
  played(
    "UI-61 log search: an invalid regular expression is reported, and matches of a valid one are counted",
    "etl?tab=logs&sidePanel=logs::main",
    async (server) => {
      server.show(await failedRun("etl"));
      server.stage.lines = lines(2000);
    },
    async (page) => {
      await page.waitForSelector(".log-line");
      await page.check('.toggle:has-text("Regex") input');
      await page.fill('[aria-label="Find in the log"]', "(");
      await page.waitForSelector(".note[role=alert]");
      await page.fill('[aria-label="Find in the log"]', "e 1+$");
      await awaitTrue(page, "document.querySelector('.tools [role=status]')?.textContent.trim() === '4'");
    },
  ),
  played(
    "UI-58 log: line numbers are one tab stop, and / starts a search in the log",
    "etl?tab=logs&sidePanel=logs::main",
    async (server) => {
      server.show(await failedRun("etl"));
      server.stage.lines = lines(2000);
    },
    async (page) => {
      await awaitTrue(page, "document.querySelector('.log-foot')?.textContent.startsWith('2,000 lines')");
      await page.keyboard.press("/");
      const active = (attribute: string) =>
        page.evaluate<string | null>(`document.activeElement.getAttribute(${JSON.stringify(attribute)})`);
      assertEquals(await active("aria-label"), "Find in the log");
      await page.keyboard.press("Escape");
      const log = page.locator(".log");
      await log.focus();
      await log.press("Home");
      await page.getByRole("link", { name: "Line 1", exact: true }).waitFor();
      assertEquals(await page.locator('.log [tabindex="0"]').count(), 1);
      await page.keyboard.press("Tab");
      assertEquals(await active("aria-label"), "Line 1");
      const goesTo = async (keys: readonly string[], line: number) => {
        for (const key of keys) await page.keyboard.press(key);
        await awaitFact(`line ${line} has the focus`, async () => await active("aria-label") === `Line ${line}`, {
          seconds: 60,
        });
        assertEquals(await page.locator('.log [tabindex="0"]').count(), 1);
      };
      await goesTo(["ArrowDown", "ArrowDown"], 3);
      await goesTo(["End"], 2000);
      await goesTo(["ArrowUp"], 1999);
      await goesTo(["Home"], 1);
      await goesTo(["ArrowUp"], 1);
      for (let line = 2; line < 60; line++) await goesTo(["ArrowDown"], line);
      await page.keyboard.press("Tab");
      assertEquals(await page.evaluate("document.activeElement.closest('.log')"), null);
      await page.keyboard.press("Shift+Tab");
      assertEquals(await active("aria-label"), "Line 59");
    },
  ),
  played("UI-65 log: a link to a line shows and marks it", "etl?tab=logs&line=1500", async (server) => {
    server.show(await failedRun("etl"));
    server.stage.lines = lines(2000);
  }, async (page) => {
    await page.waitForSelector(".log-line.marked");
    assertEquals(await texts(page, ".log-line.marked .log-text"), ["line 1499"]);
  }),
  played(
    "UI-58 log: a failed run opens at the pod that failed, with folded stack traces",
    "etl?tab=logs",
    async (server) => {
      const run = await failedRun("etl");
      server.show(run);
      const failed = Object.values(run.status!.nodes!).find(({ displayName }) => displayName === "validate")!;
      const frames = Array.from({ length: 5 }, (_, i) => `  File "load.py", line ${i}, in main`);
      server.stage.lines = ["Traceback (most recent call last):", ...frames, "ValueError: no id"].map((text, i) => ({
        podName: podNameOf(run, failed),
        content: `2026-01-01T00:00:0${i}Z ${text}`,
      }));
    },
    async (page) => {
      const frames = page.getByRole("button", { name: "5 lines of stack trace" });
      await frames.waitFor();
      assertEquals(await page.locator(".logs select option:checked").first().textContent(), "validate");
      await awaitTrue(page, "document.querySelectorAll('.log-text').length === 3");
      await frames.click();
      await awaitTrue(page, "document.querySelectorAll('.log-line').length === 7");
    },
  ),
  played("UI-64 log: a download has every byte", "etl?tab=logs&sidePanel=logs::main", async (server) => {
    server.show(await failedRun("etl"));
    server.stage.lines = lines(2000);
  }, async (page) => {
    await page.waitForSelector(".log-line");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click('button:has-text("Download")')]);
    const text = await Deno.readTextFile(await download.path());
    assertEquals(text, lines(2000).map(({ content }) => `${content.slice(content.indexOf(" ") + 1)}\n`).join(""));
  }),
  played("UI-85 small screen: the tree is the default view, and the panel is a sheet", "etl", async (server) => {
    server.show(await failedRun("etl"));
  }, async (page) => {
    await page.waitForSelector("#tab-tree[aria-selected=true]");
    await page.click('.node-row:has-text("extract")');
    const sheet = await page.locator(".node-panel").boundingBox();
    assertEquals([sheet?.x, sheet?.width], [0, 390]);
    await awaitSettled(page);
  }, { width: 390, height: 844 }),
];

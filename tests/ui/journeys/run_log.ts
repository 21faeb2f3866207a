/** Journeys on the logs of one run. */
import { assert, assertEquals } from "@std/assert";
import { podNameOf } from "@tiphys/model/status";
import { awaitFact } from "../../await_fact.ts";
import { awaitQuery } from "../browser.ts";
import type { Journey } from "../journey.ts";
import { awaitTrue, lines, played, texts } from "../played/played_journey.ts";
import { failedRun, growingRun } from "../played/played_runs.ts";

export const RUN_LOG: readonly Journey[] = [
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

/** B-10: a log of a million lines. */
import { memoryOf, residentFigure } from "../memory.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import {
  awaitFirstDrawn,
  awaitTrue,
  type Figures,
  goTo,
  longestTask,
  type OpenPage,
  type Scene,
  withPage,
} from "../scene.ts";

const LINES = 1_000_000;
const MEGABYTES = LINES * 120 / 1024 / 1024;

export const LOG: Scene = {
  name: "log",
  about: "a log of a million lines, 120 MB",
  measure: (bench) =>
    withPage(bench, async (open) => {
      await goTo(open, bench.tested.logOf(NAMESPACES.quiet, `log-${LINES}`));
      const line = await awaitFirstDrawn(open, "line");
      const began = await open.page.evaluate<number>(`performance.getEntriesByType("navigation")[0].responseEnd`);
      const first = { "first line": line - began };
      return {
        ...first,
        ...bench.tested.name === "Tiphys" ? await readAll(open, began) : await readArgos(open, began),
      };
    }),
};

async function readAll(open: OpenPage, began: number): Promise<Figures> {
  const { page } = open;
  await page.waitForSelector(`.log-foot:has-text("${LINES.toLocaleString("en")} lines")`);
  const all = await page.evaluate<number>("performance.now()") - began;
  const longest = await longestTask(open, began);
  await page.focus(".log");
  await page.keyboard.press("Home");
  await page.locator(".log-line .log-number", { hasText: /^1$/ }).waitFor();
  await page.evaluate(UNTIL_LAST);
  await page.keyboard.press("End");
  const toEnd = await page.evaluate<number>("last");
  await page.evaluate(UNTIL_FOUND);
  await page.fill('[aria-label="Find in the log"]', `line ${LINES - 1}`);
  return {
    "indexing": MEGABYTES / (all / 1000),
    "longest task": longest,
    "jump to the end": toEnd,
    "search of all lines": await page.evaluate<number>("found"),
    "memory of page and workers": await memoryOf(open),
    ...await residentFigure(open),
  };
}

/** The time between the key press and the frame with the last line. */
const UNTIL_LAST = `void (globalThis.last = new Promise((resolve) => {
  let pressed;
  addEventListener("keydown", ({ timeStamp }) => pressed = timeStamp, { capture: true, once: true });
  const observer = new MutationObserver(() => {
    const numbers = document.querySelectorAll(".log-number");
    if (numbers[numbers.length - 1]?.textContent !== "${LINES}") return;
    observer.disconnect();
    notes.afterFrame((now) => resolve(now - pressed));
  });
  observer.observe(document.querySelector(".log"), { subtree: true, childList: true, characterData: true });
}))`;

/** The time between the input and the frame with the number of matches. */
const UNTIL_FOUND = `void (globalThis.found = new Promise((resolve) => {
  let typed;
  addEventListener("input", () => typed ??= performance.now(), { capture: true, once: true });
  const observer = new MutationObserver(() => {
    if (document.querySelector(".logs .tools [role=status]")?.textContent.trim() !== "1") return;
    observer.disconnect();
    notes.afterFrame((now) => resolve(now - typed));
  });
  observer.observe(document.querySelector(".logs"), { subtree: true, childList: true, characterData: true });
}))`;

/** Argo's page shows no number of lines, so only the duration of its tasks and its memory at the end are measured. */
async function readArgos(open: OpenPage, began: number): Promise<Figures> {
  // The page is done when its main thread has been idle for a second.
  await open.page.evaluate(`globalThis.restlessAt = performance.now();
    let before = performance.now();
    setInterval(() => {
      const now = performance.now();
      if (now - before > 100) restlessAt = now;
      before = now;
    }, 20)`);
  await awaitTrue(open, "performance.now() - restlessAt > 1000");
  return {
    "longest task": await longestTask(open, began),
    "memory of page and workers": await memoryOf(open),
    ...await residentFigure(open),
  };
}

/**
 * Measures the page in Chromium against its budgets: sizes, graphs, the live list, a long log.
 *
 *     deno task bench:ui             all of it, the median of 3 runs
 *     deno task bench:ui --once graph
 *
 * It prints the load of the machine too: absolute figures mean something on an idle one only.
 */
import type { Browser, CDPSession, Page } from "playwright-core";
import { bundlePage } from "../../../server/page/bundle_page.ts";
import { findChromium, startBrowser } from "../browser.ts";
import { startBenchServer } from "./bench_server.ts";
import { sizesOf } from "./sizes.ts";

/** The measured figures by name; they are milliseconds unless the name says otherwise. */
type Figures = Record<string, number>;

const MEGABYTE = 1024 * 1024;
const PATIENCE_MILLIS = 180_000;

/** Begins before the page: it notes long tasks, and when each selector was first there. */
const NOTES = `
globalThis.notes = { tasks: [], seen: {} };
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) notes.tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
const wanted = [".graph-frame[data-drawn] svg .part", ".graph-frame canvas", "tr[data-run]", ".log-line"];
new MutationObserver(() => {
  for (const one of wanted) if (!(one in notes.seen) && document.querySelector(one)) notes.seen[one] = performance.now();
}).observe(document, { childList: true, subtree: true });
`;

/** Frames until it is asked, and their p95. */
const FRAMES = `
globalThis.frames_ = [];
(() => {
  let before = performance.now();
  const tick = (now) => { frames_.push(now - before); before = now; globalThis.frameTimer = requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
})()`;

interface Scene {
  readonly page: Page;
  readonly session: CDPSession;
  readonly address: string;
}

async function withPage(browser: Browser, address: string, measure: (scene: Scene) => Promise<Figures>) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  try {
    context.setDefaultTimeout(PATIENCE_MILLIS);
    const page = await context.newPage();
    await page.addInitScript(NOTES);
    const session = await context.newCDPSession(page);
    return await measure({ page, session, address });
  } finally {
    await context.close();
  }
}

async function settled(page: Page): Promise<void> {
  await page.waitForSelector("html[data-settled=true]", { state: "attached" });
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  // Bytes of logs and columns of pictures lie beside the heap of objects.
  const { usedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
  return (usedSize + backingStorageSize) / MEGABYTE;
}

async function framesWhile(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(FRAMES);
  await act();
  const frames = await page.evaluate<number[]>("cancelAnimationFrame(frameTimer), frames_.slice(2)");
  frames.sort((a, b) => a - b);
  return frames[Math.floor(frames.length * 0.95)] ?? NaN;
}

/** The longest task that began between two moments; 0 where none took 50 ms. */
async function longestTask(page: Page, from: number, to = Infinity): Promise<number> {
  return await page.evaluate<number>(
    `Math.max(0, ...notes.tasks.filter(([start]) => start >= ${from} && start < ${to}).map(([, duration]) => duration))`,
  );
}

function graph(count: number) {
  return async ({ page, session, address }: Scene): Promise<Figures> => {
    await page.goto(`${address}/workflows/data/graph-${count}`);
    await settled(page);
    const drawn = ".graph-frame[data-drawn]";
    await page.waitForSelector(drawn);
    const inHand = await page.evaluate<number>(
      `performance.getEntriesByType("resource").find(({ name }) => name.includes("/workflows/data/graph-")).responseEnd`,
    );
    const seen = await page.evaluate<number>(
      `Math.min(...Object.entries(notes.seen).filter(([one]) => one.startsWith(".graph-frame")).map(([, at]) => at))`,
    );
    const longest = await longestTask(page, inHand);
    const pan = await framesWhile(page, async () => {
      await page.mouse.move(900, 600);
      await page.mouse.down();
      for (let step = 0; step < 60; step++) await page.mouse.move(900 - step * 8, 600 - step * 3);
      await page.mouse.up();
    });
    await page.getByRole("button", { name: "Fit" }).click();
    const zoom = await framesWhile(page, async () => {
      await page.keyboard.down("Control");
      for (let step = 0; step < 30; step++) await page.mouse.wheel(0, step < 15 ? -40 : 40);
      await page.keyboard.up("Control");
    });
    const switched = await page.evaluate<number>("performance.now()");
    for (
      const [key, shown] of [["2", ".rows.timeline [role=row]"], ["3", ".rows.tree [role=row]"], ["1", drawn]] as const
    ) {
      await page.keyboard.press(key);
      await page.waitForSelector(shown);
      await settled(page);
    }
    const searched = await page.evaluate<number>("performance.now()");
    await page.keyboard.press("/");
    await page.keyboard.type(`t${count - 1}`);
    await settled(page);
    await page.keyboard.press("Escape");
    const left = await page.evaluate<number>("performance.now()");
    const heap = await heapOf(session);
    await page.locator("nav a").first().click();
    await page.waitForSelector("tr[data-run]");
    await settled(page);
    return {
      "to picture": seen - inHand,
      "longest task": longest,
      "longest of other views": await longestTask(page, switched, searched),
      "longest of a search": await longestTask(page, searched, left),
      "longest of leaving": await longestTask(page, left),
      "pan frame p95": pan,
      "zoom frame p95": zoom,
      "memory of the page, MB": heap,
    };
  };
}

async function liveList({ page, session, address }: Scene): Promise<Figures> {
  const SECONDS = 20;
  await page.goto(`${address}/workflows/data?limit=500`);
  await page.waitForSelector("tr[data-run]");
  await settled(page);
  const before = await heapOf(session);
  const from = await page.evaluate<number>("performance.now()");
  await page.mouse.move(700, 500);
  const frame = await framesWhile(page, async () => {
    const end = performance.now() + SECONDS * 1000;
    for (let step = 0; performance.now() < end; step++) await page.mouse.wheel(0, step % 200 < 100 ? 120 : -120);
  });
  return {
    "rows there after": await page.evaluate<number>(`notes.seen["tr[data-run]"]`),
    "longest task": await longestTask(page, from),
    "frame p95": frame,
    "heap grows by, MB": await heapOf(session) - before,
  };
}

async function longLog({ page, session, address }: Scene): Promise<Figures> {
  const LINES = 1_000_000;
  await page.goto(`${address}/workflows/data/log-${LINES}?tab=logs`);
  await page.waitForSelector(".log-line");
  const began = await page.evaluate<number>(
    `performance.getEntriesByType("navigation")[0].responseEnd`,
  );
  const first = await page.evaluate<number>(`notes.seen[".log-line"]`) - began;
  await page.waitForSelector(`.log-foot:has-text("${LINES.toLocaleString("en")} lines")`);
  const all = await page.evaluate<number>("performance.now()") - began;
  const longest = await longestTask(page, began);
  const from = performance.now();
  await page.fill('[aria-label="Find in the log"]', "line 999999");
  await page.locator(".logs .tools [role=status]", { hasText: /^\s*1\s*$/ }).waitFor();
  const search = performance.now() - from;
  return {
    "first line": first,
    "all lines": all,
    "megabytes a second": LINES * 120 / MEGABYTE / (all / 1000),
    "longest task": longest,
    "search through all": search,
    "memory of the page, MB": await heapOf(session),
  };
}

const BENCHES: Readonly<Record<string, (scene: Scene) => Promise<Figures>>> = {
  "graph of 1,000 nodes": graph(1_000),
  "graph of 10,000 nodes": graph(10_000),
  "graph of 50,000 nodes": graph(50_000),
  "list of 500 live runs, 50 updates a second": liveList,
  "log of 1,000,000 lines": longLog,
};

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const program = await findChromium();
if (program === undefined) {
  console.error("There is no Chromium here: install the package chromium");
  Deno.exit(1);
}
const wanted = Deno.args.filter((one) => !one.startsWith("-"));
const rounds = Deno.args.includes("--once") ? 1 : 3;
const cache = await Deno.makeTempDir({ prefix: "tiphys-bench-ui-" });
try {
  await bundlePage(new URL("../../../", import.meta.url).pathname, `${cache}/made`);
  for (const { what, bytes, budget } of await sizesOf(`${cache}/made`)) {
    console.log(`${what}: ${(bytes / 1024).toFixed(1)} KB of ${(budget / 1024).toFixed(0)}`);
  }
  await using server = startBenchServer(cache);
  const browser = await startBrowser(program);
  try {
    for (const [name, measure] of Object.entries(BENCHES)) {
      if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
      const all: Figures[] = [];
      for (let round = 0; round < rounds; round++) all.push(await withPage(browser, server.address, measure));
      console.log(`\n${name}`);
      for (const key of Object.keys(all[0]!)) {
        console.log(`    ${key.padEnd(24)} ${median(all.map((one) => one[key]!)).toFixed(1)}`);
      }
    }
  } finally {
    await browser.close();
  }
} finally {
  await Deno.remove(cache, { recursive: true });
}
console.log(
  `\nload ${Deno.loadavg().map((one) => one.toFixed(1)).join(" ")}, ${navigator.hardwareConcurrency} processors`,
);

/** B-05 to B-07: graphs of 1,000, 10,000 and 50,000 nodes: the first draw, pan and zoom, and the memory. */
import { framesWhile, pan } from "../frames.ts";
import { memoryOf, residentFigure } from "../memory.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import {
  answeredAt,
  awaitFirstDrawn,
  awaitSettled,
  type Figures,
  goTo,
  longestTask,
  type OpenPage,
  pageTime,
  type Scene,
  withPage,
} from "../scene.ts";

export const GRAPHS: readonly Scene[] = [graph(1_000), graph(10_000), graph(50_000)];

function graph(count: number): Scene {
  return {
    name: `graph-${count}`,
    about: `the graph of a run of ${count.toLocaleString("en")} nodes`,
    ...(count > 10_000 ? { withoutArgo: "it cannot draw 10,000 nodes" } : {}),
    measure: (bench) => withPage(bench, (open) => measure(open, count)),
  };
}

async function measure(open: OpenPage, count: number): Promise<Figures> {
  const { bench } = open;
  await goTo(open, bench.tested.runOf(NAMESPACES.quiet, `graph-${count}`));
  const picture = await awaitFirstDrawn(open, "picture");
  if (picture === Infinity) return { "from response to drawn graph": Infinity };
  await awaitSettled(open);
  const inHand = await answeredAt(open, `/graph-${count}`);
  const first = { "from response to drawn graph": picture - inHand, "longest task": await longestTask(open, inHand) };
  return { ...first, ...bench.tested.name === "Tiphys" ? await move(open, count) : await moveArgoGraph(open) };
}

/** Argo's page has no pan and zoom: it is scrolled instead of panned, and zoomed with a button. */
async function moveArgoGraph(open: OpenPage): Promise<Figures> {
  const { page } = open;
  const scrolled = await framesWhile(open, async () => {
    await page.mouse.move(900, 600);
    for (let step = 0; step < 60; step++) await page.mouse.wheel(0, 30);
  });
  const zoomed = await framesWhile(open, async () => {
    await page.locator('[title="Zoom in"]').click();
    await page.evaluate("new Promise((resolve) => notes.afterFrame(resolve))");
  });
  return {
    "pan, frame p95": scrolled,
    "zoom, frame p95": zoomed,
    "memory of page and workers": await memoryOf(open),
    ...await residentFigure(open),
  };
}

async function move(open: OpenPage, count: number): Promise<Figures> {
  const { page } = open;
  const panned = await framesWhile(open, () => pan(open, 1_500));
  await page.getByRole("button", { name: "Fit" }).click();
  const zoomed = await framesWhile(open, async () => {
    await page.keyboard.down("Control");
    for (let step = 0; step < 30; step++) await page.mouse.wheel(0, step < 15 ? -40 : 40);
    await page.keyboard.up("Control");
  });
  const switched = await pageTime(open);
  const { treeRow, timelineRow } = open.bench.tested.signs;
  for (const [key, shown] of [["2", timelineRow], ["3", treeRow], ["1", ".graph-frame[data-drawn]"]] as const) {
    await page.keyboard.press(key);
    await page.waitForSelector(shown);
    await awaitSettled(open);
  }
  const searched = await pageTime(open);
  await page.keyboard.press("/");
  await page.keyboard.type(`t${count - 1}`);
  await awaitSettled(open);
  await page.keyboard.press("Escape");
  const left = await pageTime(open);
  const memory = { "memory of page and workers": await memoryOf(open), ...await residentFigure(open) };
  await page.locator("nav a").first().click();
  await page.waitForSelector(open.bench.tested.signs.row);
  await awaitSettled(open);
  return {
    "pan, frame p95": panned,
    "zoom, frame p95": zoomed,
    ...memory,
    "longest task when switching views": await longestTask(open, switched, searched),
    "longest task of a search": await longestTask(open, searched, left),
    "longest task when leaving the page": await longestTask(open, left),
  };
}

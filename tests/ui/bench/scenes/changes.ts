/**
 * B-08: changes of a run of 10,000 nodes: the time until a change is drawn, and the frame times of a pan with 500
 * changes a second.
 */
import { framesWhile, pan } from "../frames.ts";
import { runOf } from "../played/bench_server.ts";
import { FIRST_FAILED, largeRun } from "../played/large_run.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import { awaitFirstDrawn, awaitSettled, goTo, type OpenPage, type Scene, withPage } from "../scene.ts";
import { percentile } from "../../../bench/statistics.ts";
import { awaitFact } from "../../../await_fact.ts";

const NODES = 10_000;
const RUN = runOf(NAMESPACES.quiet, `graph-${NODES}`);
/** Next to the node that is in view first. */
const NEAR = FIRST_FAILED - 1;
/** An even number, so that the node finally has its initial phase: an unchanged node would not be drawn. */
const TIMES = 6;
/** Changes of a run are sent in batches. */
const MESSAGES_A_SECOND = 5;
const CHANGES_A_MESSAGE = 100;

export const CHANGES: Scene = {
  name: "changes",
  about: "a run of 10,000 nodes with single status changes, and with 500 changes a second in 5 messages",
  withoutArgo: "it cannot draw 10,000 nodes",
  measure: (bench) =>
    withPage(bench, async (open) => {
      await goTo(open, bench.tested.runOf(NAMESPACES.quiet, RUN.name));
      await awaitFirstDrawn(open, "picture");
      await awaitSettled(open);
      const near = await measureTimeUntilDrawn(open, ELEMENT_CHANGES);
      await open.page.getByRole("button", { name: "Fit" }).click();
      await open.page.waitForSelector('.graph-frame[data-drawn="canvas"]');
      await awaitSettled(open);
      const far = await measureTimeUntilDrawn(open, CANVAS_CHANGES);
      const stop = startChanges(open);
      const panned = await framesWhile(open, () => pan(open, 5_000));
      stop();
      return {
        "time to draw a change, zoomed in": near,
        "time to draw a change, whole graph in view": far,
        "pan at 500 changes a second, frame p95": panned,
      };
    }),
};

const CHANGED = `.part[data-key="${RUN.name}.t${NEAR}"]`;

/**
 * Resolves with the time, in milliseconds since the epoch, of the frame in which the element of the node has another
 * class.
 */
const ELEMENT_CHANGES = `new Promise((resolve) => {
  const classOf = () => document.querySelector(${JSON.stringify(CHANGED)})?.getAttribute("class");
  const before = classOf();
  const observer = new MutationObserver(() => {
    if (classOf() === before) return;
    observer.disconnect();
    notes.afterFrame((now) => resolve(performance.timeOrigin + now));
  });
  observer.observe(document.querySelector(".graph-frame"), { subtree: true, childList: true, attributes: true });
})`;

/** Likewise, for the next draw of the canvas. */
const CANVAS_CHANGES = `new Promise((resolve) => {
  const before = notes.draws;
  const look = () => notes.draws === before ? requestAnimationFrame(look) :
    notes.afterFrame((now) => resolve(performance.timeOrigin + now));
  requestAnimationFrame(look);
})`;

/** The median time between the server's message and the drawn frame. */
async function measureTimeUntilDrawn({ page, bench }: OpenPage, drawn: string): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const phase = time % 2 === 0 ? "Failed" : "Succeeded";
    const message = largeRun({ ...RUN, changed: new Map([[NEAR, phase]]), version: Date.now() });
    await awaitFact("the page follows the run", () => bench.server.changes.listeners > 0, { seconds: 20 });
    await page.evaluate(`void (globalThis.drawn = ${drawn})`);
    const told = performance.timeOrigin + performance.now();
    bench.server.changes.announce(message);
    took.push(await page.evaluate<number>("drawn") - told);
    await awaitSettled({ page, bench } as OpenPage);
  }
  return percentile(took, 50)!;
}

/** Changes statuses until the returned function is called. */
function startChanges({ bench }: OpenPage): () => void {
  const messages = Array.from({ length: 4 }, (_, index) => {
    const changed = Array.from({ length: CHANGES_A_MESSAGE }, (_, i) => [i * 97 + index, "Failed"] as const);
    return largeRun({ ...RUN, changed: new Map(changed), version: Date.now() + index });
  });
  let turn = 0;
  const timer = setInterval(
    () => bench.server.changes.announce(messages[turn++ % messages.length]!),
    1000 / MESSAGES_A_SECOND,
  );
  return () => clearInterval(timer);
}

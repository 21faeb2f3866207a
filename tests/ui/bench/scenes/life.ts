/** B-15: the memory after 100,000 updates and 200 navigations. */
import { awaitFact } from "../../../await_fact.ts";
import { memoryWithoutCode, residentFigure } from "../memory.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import { awaitFirstDrawn, awaitSettled, awaitTrue, goTo, type OpenPage, type Scene, withPage } from "../scene.ts";

const LIST = `/workflows/${NAMESPACES.flooded}?limit=500`;
const PLACES = [
  `/workflow-templates/${NAMESPACES.flooded}`,
  `/workflows/${NAMESPACES.flooded}/graph-2000`,
  `/workflows/${NAMESPACES.flooded}/graph-2000?tab=timeline`,
  `/workflows/${NAMESPACES.flooded}/log-1000?tab=logs`,
  `/workflow-templates/${NAMESPACES.flooded}/large?tab=manifest`,
  `/cron-workflows/${NAMESPACES.flooded}`,
  "/help",
  LIST,
] as const;

const WARM_UPDATES = 2_000;
const WARM_TURNS = 3;

export const LIFE: Scene = {
  name: "life",
  about: "100,000 updates of a list, and 200 navigations (20,000 and 40 with --once)",
  isLong: true,
  withoutArgo: "it draws all rows for each update, so 100,000 updates exceed the timeout",
  measure: (bench) =>
    withPage(bench, async (open) => {
      const { server } = bench;
      await goTo(open, LIST);
      await awaitFirstDrawn(open, "row");
      // Warms up first, because caches that are filled once are not leaks.
      await flood(open, WARM_UPDATES);
      await navigate(open, WARM_TURNS * PLACES.length);
      const before = await memoryWithoutCode(open);
      await flood(open, bench.isShort ? 20_000 : 100_000);
      await navigate(open, bench.isShort ? 40 : 200);
      await awaitFact("only the list has a stream", () => server.streams.count <= 1, { seconds: 5 }).catch(() => {});
      return {
        "change of the heap": Math.abs(await memoryWithoutCode(open) / before - 1) * 100,
        ...await residentFigure(open),
        "remaining streams": server.streams.count - 1,
        "remaining workers": open.page.workers().length,
      };
    }),
};

/** Sends updates until the last one is shown, in the first row. */
async function flood(open: OpenPage, updates: number): Promise<void> {
  const { server } = open.bench;
  server.lists.flood(updates);
  // The page opens a new watch, which receives all updates.
  server.streams.cut();
  await awaitFact("all updates are sent", () => server.lists.last !== undefined, { seconds: 120 });
  const isShown = `document.querySelector("tr[data-run]").textContent.includes(${JSON.stringify(server.lists.last)})`;
  if (!await awaitTrue(open, isShown)) throw new Error("The last update was not shown");
}

/** Navigates between pages. Each round ends at the list. */
async function navigate(open: OpenPage, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const place = PLACES[time % PLACES.length]!;
    await open.page.evaluate(`history.pushState(undefined, "", ${JSON.stringify(place)}),
      dispatchEvent(new PopStateEvent("popstate"))`);
    await awaitSettled(open);
  }
}

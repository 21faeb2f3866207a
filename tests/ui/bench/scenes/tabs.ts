/** B-14: the seventh tab and the twentieth over HTTP/1.1, whose browsers have six connections for all tabs of a server. */
import { firstLook } from "../first_look.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import type { Figures, OpenPage, Scene } from "../scene.ts";
import { goTo, seen, withPage } from "../scene.ts";

const MEASURED = [7, 20] as const;
const PATIENCE = 10_000;

export const TABS: Scene = {
  name: "tabs",
  about: "20 tabs of one browser, each with the list",
  measure: (bench) =>
    withPage(bench, async (first) => {
      let figures: Figures = {};
      let last = first;
      for (let tab = 1; tab <= MEASURED.at(-1)!; tab++) {
        if (tab > 1) {
          // A browser shows one tab at a time.
          await hide(last);
          const page = await first.context.newPage();
          last = { ...first, page, session: await first.context.newCDPSession(page) };
        }
        if (!MEASURED.some((one) => one === tab)) {
          await openQuietly(last);
          continue;
        }
        const { painted, typed } = await firstLook(last, PATIENCE);
        figures = {
          ...figures,
          [`tab ${tab}, first contentful paint`]: painted,
          [`tab ${tab}, filter takes a key`]: typed,
        };
        // No tab after a blank one is less so.
        if (typed === Infinity) break;
      }
      return figures;
    }),
};

async function openQuietly(open: OpenPage): Promise<void> {
  open.page.setDefaultNavigationTimeout(PATIENCE);
  await goTo(open, open.bench.tested.listOf(NAMESPACES.quiet)).catch(() => {});
  await seen(open, "row", PATIENCE);
}

/** Makes a page believe that nobody sees it: browsers without a screen show all their pages. */
async function hide({ page }: OpenPage): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"))`);
}

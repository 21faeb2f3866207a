/** B-14: the 7th and the 20th tab over HTTP/1.1, with which a browser has six connections per server for all tabs. */
import { measureFirstLook } from "../first_look.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import type { Figures, OpenPage, Scene } from "../scene.ts";
import { awaitFirstDrawn, goTo, withPage } from "../scene.ts";

const MEASURED = [7, 20] as const;
const PATIENCE = 10_000;

export const TABS: Scene = {
  name: "tabs",
  about: "20 visible tabs of one browser, each with the list",
  measure: (bench) =>
    withPage(bench, async (first) => {
      let figures: Figures = {};
      let last = first;
      for (let tab = 1; tab <= MEASURED.at(-1)!; tab++) {
        if (tab > 1) {
          // A headless browser treats all pages as visible, like a browser with many windows.
          const page = await first.context.newPage();
          last = { ...first, page, session: await first.context.newCDPSession(page) };
        }
        if (!MEASURED.some((candidate) => candidate === tab)) {
          await openQuietly(last);
          continue;
        }
        const { painted, typed } = await measureFirstLook(last, PATIENCE);
        figures = {
          ...figures,
          [`tab ${tab}, first contentful paint`]: painted,
          [`tab ${tab}, filter accepts input`]: typed,
        };
        // If a tab stays blank, so do all later ones.
        if (typed === Infinity) break;
      }
      return { ...figures, "streams of 20 tabs": bench.server.streams.count };
    }),
};

async function openQuietly(open: OpenPage): Promise<void> {
  open.page.setDefaultNavigationTimeout(PATIENCE);
  await goTo(open, open.bench.tested.listOf(NAMESPACES.quiet)).catch(() => {});
  await awaitFirstDrawn(open, "row", PATIENCE);
}

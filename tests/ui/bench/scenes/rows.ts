/** B-09: the tree and the timeline of a run of 10,000 nodes. */
import { framesWhile, scroll } from "../frames.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import { answeredAt, awaitFirstDrawn, awaitSettled, type Figures, goTo, type Scene, withPage } from "../scene.ts";
import type { Sign } from "../tested_page.ts";

const NAME = "graph-10000";

export const TREE: Scene = { ...rows("tree", "treeRow"), withoutArgo: "it has no tree" };
export const TIMELINE: Scene = rows("timeline", "timelineRow");

function rows(view: "tree" | "timeline", sign: Sign): Scene {
  return {
    name: view,
    about: `the ${view} of a run of 10,000 nodes`,
    measure: (bench) =>
      withPage(bench, async (open): Promise<Figures> => {
        const { timelineOf } = bench.tested;
        await goTo(open, timelineOf(NAMESPACES.quiet, NAME).replace("=timeline", `=${view}`));
        const shown = await awaitFirstDrawn(open, sign);
        if (shown === Infinity) return { "from response to drawn rows": Infinity };
        await awaitSettled(open);
        const inHand = await answeredAt(open, `/${NAME}`);
        return {
          "from response to drawn rows": shown - inHand,
          "scroll, frame p95": await framesWhile(open, () => scroll(open, 2_000)),
        };
      }),
  };
}

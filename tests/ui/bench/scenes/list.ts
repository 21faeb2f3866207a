/** B-04: a list of 500 runs, 50 of which change each second, is scrolled. */
import { framesWhile } from "../frames.ts";
import { memoryOf } from "../memory.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import { awaitFirstDrawn, awaitSettled, goTo, longestTask, pageTime, type Scene, withPage } from "../scene.ts";

export const LIST: Scene = {
  name: "list",
  about: "500 runs with 50 updates a second, scrolled for a minute (20 s with --once)",
  isLong: true,
  measure: (bench) =>
    withPage(bench, async (open) => {
      const { page } = open;
      await goTo(open, bench.tested.listOf(NAMESPACES.live));
      await awaitFirstDrawn(open, "row");
      await awaitSettled(open);
      const before = await memoryOf(open);
      const from = await pageTime(open);
      await page.mouse.move(700, 500);
      const frame = await framesWhile(open, async () => {
        const end = performance.now() + (bench.isShort ? 20_000 : 60_000);
        for (let step = 0; performance.now() < end; step++) await page.mouse.wheel(0, step % 200 < 100 ? 120 : -120);
      });
      return {
        "longest task": await longestTask(open, from),
        "frame p95": frame,
        "growth of the heap": await memoryOf(open) - before,
      };
    }),
};

/** B-02: the list in a browser with an empty cache, also with a processor that is four times slower. */
import { fileKilobytes, measureFirstLook } from "../first_look.ts";
import { awaitSettled, type Scene, withPage } from "../scene.ts";

export const COLD: Scene = {
  name: "cold",
  about: "a list of 500 runs in a browser with an empty cache",
  async measure(bench) {
    const [look, kilobytes] = await withPage(bench, async (open) => {
      const look = await measureFirstLook(open);
      await awaitSettled(open);
      return [look, await fileKilobytes(open)] as const;
    });
    const slow = await withPage(bench, async (open) => {
      await open.session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
      return await measureFirstLook(open);
    });
    return {
      "first contentful paint": look.painted,
      "filter accepts input, 500 rows": look.typed,
      "filter accepts input, processor 4 times slower": slow.typed,
      "transferred files": kilobytes,
    };
  },
};

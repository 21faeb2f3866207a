/** B-03: the list is reloaded in the same browser. */
import { fileKilobytes, measureFirstLook } from "../first_look.ts";
import { awaitFirstDrawn, awaitSettled, type Scene, withPage } from "../scene.ts";

export const RELOAD: Scene = {
  name: "reload",
  about: "a reload of the list in the same browser",
  measure: (bench) =>
    withPage(bench, async (open) => {
      await measureFirstLook(open);
      await awaitSettled(open);
      await open.page.reload({ waitUntil: "commit" });
      const row = await awaitFirstDrawn(open, "row");
      await awaitSettled(open);
      return { "first row": row, "transferred files": await fileKilobytes(open) };
    }),
};

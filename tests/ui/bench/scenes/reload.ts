/** B-03: the list is reloaded in the same browser. */
import { fileKilobytes, firstLook } from "../first_look.ts";
import { awaitSettled, firstDrawn, type Scene, withPage } from "../scene.ts";

export const RELOAD: Scene = {
  name: "reload",
  about: "the list again, in a browser that has loaded it before",
  measure: (bench) =>
    withPage(bench, async (open) => {
      await firstLook(open);
      await awaitSettled(open);
      await open.page.reload({ waitUntil: "commit" });
      const row = await firstDrawn(open, "row");
      await awaitSettled(open);
      return { "first row": row, "files over the wire": await fileKilobytes(open) };
    }),
};

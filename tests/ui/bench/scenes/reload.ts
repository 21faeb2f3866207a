/** B-03: the list is reloaded in the same browser. */
import { fileKilobytes, firstLook } from "../first_look.ts";
import { type Scene, seen, settled, withPage } from "../scene.ts";

export const RELOAD: Scene = {
  name: "reload",
  about: "the list again, in a browser that has loaded it before",
  measure: (bench) =>
    withPage(bench, async (open) => {
      await firstLook(open);
      await settled(open);
      await open.page.reload({ waitUntil: "commit" });
      const row = await seen(open, "row");
      await settled(open);
      return { "first row": row, "files over the wire": await fileKilobytes(open) };
    }),
};

import { assert } from "@std/assert";
import { bundlePage } from "../../../server/page/bundle_page.ts";
import { sizesOf } from "./sizes.ts";

Deno.test("no place of the page loads more than its budget", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-page-sizes-" });
  try {
    await bundlePage(new URL("../../../", import.meta.url).pathname, folder);
    const sizes = await sizesOf(folder);
    for (const { what, bytes, budget } of sizes) {
      assert(bytes > 1000, `${what}: nothing was found of it`);
      assert(bytes <= budget, `${what}: ${(bytes / 1024).toFixed(1)} KB of ${(budget / 1024).toFixed(0)} KB`);
    }
    // What the list shares with other places is no file of its own: dozens of them cost a browser more than their bytes.
    const [list] = sizes;
    assert(list!.files <= 3, `${list!.what}: ${list!.files} files`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

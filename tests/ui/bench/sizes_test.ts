import { assert } from "@std/assert";
import { bundlePage } from "../../../server/page/bundle_page.ts";
import { sizesOf } from "./sizes.ts";

Deno.test("sizes: no view of the page exceeds its budget", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-page-sizes-" });
  try {
    await bundlePage(new URL("../../../", import.meta.url).pathname, folder);
    const sizes = await sizesOf(folder);
    for (const { what, bytes, budget } of sizes) {
      assert(bytes > 1000, `${what}: no file was found`);
      assert(bytes <= budget, `${what}: ${(bytes / 1024).toFixed(1)} KB of ${(budget / 1024).toFixed(0)} KB`);
    }
    // Code that the list shares with other views is not split into separate files: dozens of files would cost more than
    // their bytes.
    const [list] = sizes;
    assert(list!.files <= 3, `${list!.what}: ${list!.files} files`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

import { clusterSettings } from "../cluster/mod.ts";
import { copyShims, testImage } from "../images/mod.ts";

/** The images that workflows under test name, as OCI layout folders; built if the cache lacks them. */
export async function testImages(): Promise<Record<"debian" | "busybox" | "musl" | "single-program", string>> {
  const { cache } = clusterSettings();
  const shims = await Deno.makeTempDir({ prefix: "shims-" });
  try {
    await copyShims(shims);
    return {
      debian: await testImage(cache, { root: "debian", overlays: [shims] }),
      busybox: await testImage(cache, { root: "busybox", cmd: ["sh"] }),
      musl: await testImage(cache, { root: "musl" }),
      "single-program": await testImage(cache, { root: "single-program" }),
    };
  } finally {
    await Deno.remove(shims, { recursive: true });
  }
}

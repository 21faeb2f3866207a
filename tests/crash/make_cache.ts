/** The cache of clusters that are killed: it contains what they would otherwise build or download after each kill. */
import { packImageLayout, writeImageLayout } from "../../scripts/oci_layout.ts";
import { executorFolder } from "../../local/executor_folder.ts";
import { ImageStore } from "../../local/image/image_store.ts";
import { imageStoreOptions } from "../../local/image/machine_settings.ts";
import { makeProgramRoot } from "../../local/kubelet/runtime/testing/program_root.ts";

/**
 * Fills a folder, for XDG_CACHE_HOME, with the executor and with an image of this machine's own programs under a name.
 */
export async function makeCache(home: string, image: string): Promise<void> {
  const cache = `${home}/tiphys`;
  await Deno.mkdir(cache, { recursive: true });
  await executorFolder(cache);
  const work = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${work}/root`, { mode: 0o755 });
    await makeProgramRoot(`${work}/root`);
    await writeImageLayout(`${work}/layout`, { roots: [`${work}/root`], reference: image });
    await packImageLayout(`${work}/layout`, `${work}/image.tar`);
    const archive = await Deno.open(`${work}/image.tar`);
    await new ImageStore(await imageStoreOptions(cache)).load(archive.readable, image);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

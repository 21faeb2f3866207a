/** Loads images into the image store of an embedded cluster. */
import type { ImageStore } from "../../local/image/image_store.ts";

/** Loads the image of an OCI layout folder into a store, with each of the names that workflows use for it. */
export async function loadLayout(
  store: ImageStore,
  { folder, names }: { readonly folder: string; readonly names: readonly string[] },
): Promise<void> {
  const tar = new Deno.Command("tar", { args: ["-C", folder, "-c", "."], stdout: "piped" }).spawn();
  const [image] = await store.load(tar.stdout, names[0]);
  for (const name of names.slice(1)) if (image) await store.tag(image, name);
  await tar.status;
}

/** The folder that holds the page's files: beside the program, or made from the sources where they changed. */
import { filePath } from "@tiphys/base/file_path";
import { newestChange } from "@tiphys/portable";
import { bundlePage } from "./bundle_page.ts";

const SOURCES = ["ui", "lib"] as const;

/** Places of a program's page, seen from this module: in a bundle, and in what `deno compile` includes. */
const BESIDE = ["./page/", "../../build/ui/"] as const;
/** This module, or the bundle that holds it; a bundle of scripts has no address but that of the program. */
const OWN = import.meta.url as string | undefined ?? Deno.mainModule;

/**
 * The folder with `index.html` and `assets/`. From sources it is made below `cache` when it is first asked for, which takes a
 * second, and kept until a source changes.
 * @throws {Error} where there is neither.
 */
export async function pageFolder(cache: string, root = new URL("../../", OWN)): Promise<string> {
  if (await exists(new URL("ui/main.tsx", root))) return await madeFrom(filePath(root), cache);
  for (const place of BESIDE) {
    const folder = new URL(place, OWN);
    if (await exists(new URL("index.html", folder))) return filePath(folder).replace(/\/$/, "");
  }
  throw new Error("Expected the page's files beside this program, found none");
}

async function madeFrom(root: string, cache: string): Promise<string> {
  const folder = `${cache}/page-${await newestChange(root, SOURCES)}`;
  if (await exists(`${folder}/index.html`)) return folder;
  await Deno.mkdir(cache, { recursive: true, mode: 0o700 });
  const made = await Deno.makeTempDir({ dir: cache, prefix: "making-page-" });
  await bundlePage(root, made);
  await removeOld(cache);
  try {
    await Deno.rename(made, folder);
  } catch (error) {
    // Another process was faster, and made the same.
    if (!await exists(`${folder}/index.html`)) throw error;
    await Deno.remove(made, { recursive: true });
  }
  return folder;
}

const DAY_MILLIS = 24 * 3600 * 1000;

/** Removes earlier pages; one of today may still be read by another process. */
async function removeOld(cache: string): Promise<void> {
  for await (const { name } of Deno.readDir(cache)) {
    if (!/^(page|making-page)-/.test(name)) continue;
    const path = `${cache}/${name}`;
    const { mtime } = await Deno.stat(path);
    if (Date.now() - (mtime?.getTime() ?? 0) > DAY_MILLIS) await Deno.remove(path, { recursive: true });
  }
}

async function exists(path: string | URL): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

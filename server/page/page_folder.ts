/** The folder with the page's files: included in the program, or built from sources when they change. */
import { filePath } from "@tiphys/base/file_path";
import { newestChange } from "@tiphys/portable";
import { bundlePage } from "./bundle_page.ts";

const SOURCES = ["ui", "lib"] as const;

/** Locations of an included page relative to this module: in a bundle, and in the output of `deno compile`. */
const INCLUDED = ["./page/", "../../build/ui/"] as const;
/** The URL of this module or of its bundle. A script bundle has no URL, so the URL of the program is used. */
const OWN = import.meta.url as string | undefined ?? Deno.mainModule;

/**
 * Returns the folder with `index.html` and `assets/`. If the sources exist, the page is built below `cache` on first
 * use, in about a second, and kept until a source changes.
 * @throws {Error} if there are neither sources nor files.
 */
export async function pageFolder(cache: string, root = new URL("../../", OWN)): Promise<string> {
  if (await pathExists(new URL("ui/main.tsx", root))) return await buildIfChanged(filePath(root), cache);
  for (const location of INCLUDED) {
    const folder = new URL(location, OWN);
    if (await pathExists(new URL("index.html", folder))) return filePath(folder).replace(/\/$/, "");
  }
  throw new Error("The page's files are missing: expected them next to this program");
}

async function buildIfChanged(root: string, cache: string): Promise<string> {
  const folder = `${cache}/page-${await newestChange(root, SOURCES)}`;
  if (await pathExists(`${folder}/index.html`)) return folder;
  await Deno.mkdir(cache, { recursive: true, mode: 0o700 });
  const made = await Deno.makeTempDir({ dir: cache, prefix: "making-page-" });
  await bundlePage(root, made);
  await removeOldFolders(cache);
  try {
    await Deno.rename(made, folder);
  } catch (error) {
    // Another process has built the same page first.
    if (!await pathExists(`${folder}/index.html`)) throw error;
    await Deno.remove(made, { recursive: true });
  }
  return folder;
}

const DAY_MILLIS = 24 * 3600 * 1000;

/** Removes earlier pages that are older than a day; newer ones may be in use by another process. */
async function removeOldFolders(cache: string): Promise<void> {
  for await (const { name } of Deno.readDir(cache)) {
    if (!/^(page|making-page)-/.test(name)) continue;
    const path = `${cache}/${name}`;
    const { mtime } = await Deno.stat(path);
    if (Date.now() - (mtime?.getTime() ?? 0) > DAY_MILLIS) await Deno.remove(path, { recursive: true });
  }
}

async function pathExists(path: string | URL): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/**
 * Checks links of built pages: each leads to a file of the site, and to an element of that page if it has a fragment.
 */

/** The links of a site's pages that lead nowhere, one line each. `base` is the path before all pages. */
export async function brokenSiteLinks(out: string, base: string): Promise<string[]> {
  const files = await filesBelow(out);
  const pages = new Map<string, string>();
  for (const path of files) {
    if (path.endsWith(".html")) pages.set(path, await Deno.readTextFile(`${out}/${path}`));
  }
  const broken: string[] = [];
  for (const [path, html] of pages) {
    for (const link of new Set([...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, text = ""]) => text))) {
      if (/^(?:[a-z][a-z+.-]*:|\/\/)/.test(link)) continue;
      const { pathname, hash } = new URL(link.replaceAll("&amp;", "&"), `http://site${base}${path}`);
      const inside = decodeURI(pathname);
      // Other versions are next to the site, not in it.
      if (!inside.startsWith(base)) continue;
      const target = inside.slice(base.length).replace(/^$|\/$/, (end) => `${end}index.html`);
      const fragment = decodeURIComponent(hash.slice(1));
      if (!files.has(target)) broken.push(`${path}: ${link}`);
      else if (fragment !== "" && !(pages.get(target) ?? "").includes(` id="${fragment}"`)) {
        broken.push(`${path}: ${link}: no element with this ID`);
      }
    }
  }
  return broken;
}

async function filesBelow(folder: string, below = ""): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
    if (!isDirectory) found.add(`${below}${name}`);
    else for (const file of await filesBelow(folder, `${below}${name}/`)) found.add(file);
  }
  return found;
}

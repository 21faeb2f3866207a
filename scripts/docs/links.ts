/** Links between pages: a relative one leads to a file or folder of the tree, and its anchor to a heading there. */
import type { Page, Piece } from "./page.ts";

/** The links of a page that lead nowhere, in words. `pages` are all pages by their paths, `files` all paths of the tree. */
export function brokenLinks(page: Page, pages: ReadonlyMap<string, Page>, files: readonly string[]): Piece[] {
  return page.links.flatMap(({ line, text }) => {
    if (/^[a-z][a-z+.-]*:/.test(text)) return [];
    const [target = "", anchor = ""] = text.split("#");
    const path = target === ""
      ? page.path
      : new URL(target, `file:///${page.path}`).pathname.slice(1).replace(/\/$/, "");
    if (!files.some((file) => file === path || file.startsWith(`${path}/`))) {
      return [{ line, text: `links to ${text}, which is not there` }];
    }
    if (anchor === "" || pages.get(path)?.anchors.has(anchor)) return [];
    return [{ line, text: `links to ${text}, and no heading there has the anchor #${anchor}` }];
  });
}

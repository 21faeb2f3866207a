/** Checks links between pages: relative links refer to existing files or folders, and anchors to headings. */
import type { Page, Piece } from "./page.ts";

/** Returns the broken links of a page. @param pages all pages by path. @param files all paths of the repository. */
export function brokenLinks(page: Page, pages: ReadonlyMap<string, Page>, files: readonly string[]): Piece[] {
  return page.links.flatMap(({ line, text }) => {
    if (/^[a-z][a-z+.-]*:/.test(text)) return [];
    const [target = "", anchor = ""] = text.split("#");
    const path = target === ""
      ? page.path
      : new URL(target, `file:///${page.path}`).pathname.slice(1).replace(/\/$/, "");
    if (!files.some((file) => file === path || file.startsWith(`${path}/`))) {
      return [{ line, text: `links to ${text}, which does not exist` }];
    }
    if (anchor === "" || pages.get(path)?.anchors.has(anchor)) return [];
    return [{ line, text: `links to ${text}, which has no heading with the anchor #${anchor}` }];
  });
}

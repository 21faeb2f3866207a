/** The pages of the documentation site: their paths in it, the targets of their links, and the sidebar. */
import { type Page, readPage } from "../docs/page.ts";

/** An entry of the sidebar, as VitePress reads it. */
interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
  readonly collapsed?: boolean;
}

/** The pages of a site. */
export interface SitePages {
  /** The Markdown of each page, by its path in the site. */
  readonly pages: ReadonlyMap<string, string>;
  /** Other files of the tree that are part of the site, by their paths in the tree. */
  readonly files: readonly string[];
  /**
   * The targets of links by page and by the link as written; null for a link to a file that is not part of the site.
   */
  readonly links: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  readonly sidebar: readonly SidebarItem[];
}

/** The page of the tree that lists all others; the sidebar has its sections. */
const START = "docs/README.md";

/** The folder of the site with pages of the root of the tree. */
const PROJECT = "project";

/** The pages of the tree outside `docs/` and the root that are part of the site. */
const ELSEWHERE: Readonly<Record<string, string>> = { "manifests/helm/tiphys/README.md": "reference/chart.md" };

/** The path of a page in the site; undefined for Markdown that is not part of it. */
export function sitePath(path: string): string | undefined {
  if (/^[A-Z_]+\.md$/.test(path)) return `${PROJECT}/${path.toLowerCase()}`;
  if (!path.startsWith("docs/")) return ELSEWHERE[path];
  return path.slice("docs/".length).replace(/(^|\/)README\.md$/, "$1index.md");
}

/**
 * Makes the pages of the site.
 * @param markdown the text of each Markdown file of the tree, by its path
 * @param repository the address of the repository's files, for links to sources; without it these links are removed
 */
export function sitePages(markdown: ReadonlyMap<string, string>, repository?: string): SitePages {
  const pages = new Map<string, string>();
  const links: Record<string, Record<string, string | null>> = {};
  const files = new Set<string>();
  for (const [path, text] of markdown) {
    const target = sitePath(path);
    if (target === undefined) continue;
    pages.set(target, text.replace(/^<!--.*?-->\n/gms, ""));
    links[target] = {};
    for (const link of readPage(path, text).links) {
      if (/^(?:[a-z][a-z+.-]*:|#)/.test(link.text)) continue;
      const [file, anchor] = resolveLink(path, link.text);
      if (/^examples\/.*\.\w+$/.test(file)) files.add(file);
      links[target][link.text] = targetOf(file, anchor, repository);
    }
  }
  const start = markdown.get(START) ?? "";
  return { pages, links, files: [...files].sort(), sidebar: sidebarOf(readPage(START, start), start, pages) };
}

/** The file of the tree that a link leads to, and the anchor with its `#`, or the empty string. */
function resolveLink(from: string, link: string): [file: string, anchor: string] {
  const { pathname, hash } = new URL(link, `file:///${from}`);
  return [decodeURI(pathname).slice(1), hash];
}

function targetOf(file: string, anchor: string, repository: string | undefined): string | null {
  const page = sitePath(file);
  if (page !== undefined && file.endsWith(".md")) return `/${page}${anchor}`;
  if (/^examples\/.*\.\w+$/.test(file)) return `/files/${file}.txt`;
  if (file.startsWith("docs/images/")) return `/${file.slice("docs/".length)}`;
  return repository === undefined ? null : `${repository}/${file}${anchor}`;
}

/** The sections of the start page with their links, each followed by the other pages of its folder. */
function sidebarOf(start: Page, text: string, pages: ReadonlyMap<string, string>): SidebarItem[] {
  const sections: { text: string; collapsed: boolean; items: SidebarItem[] }[] = [];
  const lines = text.split("\n");
  const titles = linkTexts(text);
  const listed = new Set(["index.md"]);
  const item = (page: string): SidebarItem => ({ text: titleOf(pages.get(page) ?? ""), link: linkOf(page) });
  let from = 0;
  for (const { line, text: link } of start.links) {
    for (; from < line; from++) {
      const heading = /^## (.*)$/.exec(lines[from] ?? "")?.[1];
      if (heading !== undefined) sections.push({ text: heading, collapsed: sections.length > 1, items: [] });
    }
    const page = sitePath(resolveLink(START, link)[0]);
    const section = sections.at(-1);
    if (page === undefined || section === undefined || listed.has(page)) continue;
    listed.add(page);
    const folder = page.endsWith("/index.md") ? page.slice(0, -"index.md".length) : undefined;
    const inside = folder === undefined
      ? []
      : [...pages.keys()].filter((path) => path.startsWith(folder) && path !== page);
    for (const path of inside) listed.add(path);
    const named = { text: sentence(titles.get(link) ?? link), link: linkOf(page) };
    section.items.push(inside.length === 0 ? named : { ...named, collapsed: true, items: inside.sort().map(item) });
  }
  const others = [...pages.keys()].filter((page) => !listed.has(page)).sort();
  return [...sections, { text: "More", collapsed: true, items: others.map(item) }];
}

/** The words of each link of a text, by its target. */
function linkTexts(text: string): Map<string, string> {
  return new Map([...text.matchAll(/\[([^\]]+)\]\(([^()\s]+)\)/g)].map(([, words = "", link = ""]) => [link, words]));
}

function sentence(text: string): string {
  const words = text.replaceAll("`", "").replace(/\s+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The first heading of a page. */
export function titleOf(markdown: string): string {
  return (/^# (.*)$/m.exec(markdown)?.[1] ?? "").replaceAll("`", "");
}

function linkOf(page: string): string {
  return `/${page.replace(/(?:index)?\.md$/, "")}`;
}

/** The listing of an artifact folder, as an HTML page or as JSON. */
import type { Driver, Place } from "@tiphys/model/artifact";

/** The maximum number of names on a page, and of files in JSON. */
const MAX_NAMES = 10_000;

/** A file below a folder. */
export interface ListedFile {
  readonly name: string;
  /** The size in bytes, if the store reports it. */
  readonly size?: number;
}

/** The names in a folder, and whether the list was truncated. */
export interface FolderNames {
  readonly names: readonly string[];
  readonly isTruncated: boolean;
}

/** Lists the immediate children of a location, without duplicates. Folders end in a slash. */
export async function namesIn(driver: Driver, location: Place, stop: AbortSignal): Promise<FolderNames> {
  const names = new Set<string>();
  for await (const { name } of driver.list(location, stop)) {
    const index = name.indexOf("/");
    names.add(index < 0 ? name : name.slice(0, index + 1));
    if (names.size >= MAX_NAMES) return { names: [...names], isTruncated: true };
  }
  return { names: [...names], isTruncated: false };
}

/** Lists all files below a location, recursively. */
export async function filesBelow(driver: Driver, location: Place, stop: AbortSignal) {
  const files: ListedFile[] = [];
  for await (const { name, size } of driver.list(location, stop)) {
    if (files.length >= MAX_NAMES) return { files, isCut: true };
    files.push({ name, ...size === undefined ? {} : { size } });
  }
  return { files, isCut: false };
}

/** Renders the page of a folder. Names are untrusted: they are escaped, and links are relative. */
export function listingPage({ names, isTruncated: isCut }: FolderNames): string {
  const item = (href: string, text: string) => `<li><a href="${escapeHtml(href)}">${escapeHtml(text)}</a></li>\n`;
  const items = names.map((name) => {
    const isFolder = name.endsWith("/");
    const href = `./${encodeURIComponent(name.replace(/\/$/, ""))}${isFolder ? "/" : ""}`;
    return item(href, name);
  });
  const more = isCut ? `<li>and more</li>\n` : "";
  return `<html><body><ul>\n${item("..", "..")}${items.join("")}${more}</ul></body></html>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

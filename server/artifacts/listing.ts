/** The listing of a folder of artifacts, as a page for people and as JSON for programs. */
import type { Driver, Place } from "../../lib/artifact/driver.ts";

/** The most names that a page shows, and the most files that a program is told. */
const MOST_NAMES = 10_000;

/** One file below a folder. */
export interface ListedFile {
  readonly name: string;
  /** Bytes, where the store tells. */
  readonly size?: number;
}

/** The names in a folder, and whether there are more than are told. */
export interface FolderNames {
  readonly names: readonly string[];
  readonly isCut: boolean;
}

/** The files and folders right below a place, each once; folders end in a slash. */
export async function namesIn(driver: Driver, place: Place, stop: AbortSignal): Promise<FolderNames> {
  const names = new Set<string>();
  for await (const { name } of driver.list(place, stop)) {
    const at = name.indexOf("/");
    names.add(at < 0 ? name : name.slice(0, at + 1));
    if (names.size >= MOST_NAMES) return { names: [...names], isCut: true };
  }
  return { names: [...names], isCut: false };
}

/** All files below a place, at any depth. */
export async function filesBelow(driver: Driver, place: Place, stop: AbortSignal) {
  const files: ListedFile[] = [];
  for await (const { name, size } of driver.list(place, stop)) {
    if (files.length >= MOST_NAMES) return { files, isCut: true };
    files.push({ name, ...size === undefined ? {} : { size } });
  }
  return { files, isCut: false };
}

/** The page of a folder. Names are data: nothing in them is markup, and none of them is an address of its own. */
export function listingPage({ names, isCut }: FolderNames): string {
  const item = (href: string, text: string) => `<li><a href="${escaped(href)}">${escaped(text)}</a></li>\n`;
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

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

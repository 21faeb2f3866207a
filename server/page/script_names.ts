/** The names of the page's scripts: a file is named by what it and all that it loads hold, so it never changes under its name. */
import { loadedBy } from "./script_imports.ts";

/** Where a script names another, which it imports or asks for while the page runs. */
const NAMED = /"\.\/([\w.-]+\.js)"/g;

/**
 * The end that the bundler gives to the name of a piece, each time that it joins it: a hash of its sources, and not of what the
 * minifier made of them.
 */
const OF_SOURCES = /-[A-Z0-9]{8}(?=\.js$)/;

/** Scripts under other names. */
export interface NamedScripts {
  /** The new names, by the former ones. */
  readonly names: ReadonlyMap<string, string>;
  /** The texts, in which scripts name each other by the new names, by these. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Names scripts by their content; `hashed` puts a part of the hash of a text into a name. */
export async function namedByContent(
  scripts: ReadonlyMap<string, string>,
  hashed: (name: string, text: string) => Promise<string>,
): Promise<NamedScripts> {
  const loads = new Map([...scripts].map(([file, text]) => [
    file,
    [...text.matchAll(NAMED)].map(([, one]) => one!).filter((one) => scripts.has(one)),
  ]));
  const names = new Map<string, string>();
  for (const file of scripts.keys()) {
    // Its own text stands first: of two that load each other each has a name.
    const [own, ...others] = loadedBy(file, loads);
    const all = [own!, ...others.sort()].map((one) => scripts.get(one)).join("\n");
    // Pieces are joined twice.
    const stem = file.split("/").at(-1)!.replace(OF_SOURCES, "").replace(OF_SOURCES, "");
    names.set(file, await hashed(stem, all));
  }
  const texts = [...scripts].map(([file, text]) =>
    [
      names.get(file)!,
      text.replaceAll(NAMED, (whole, one: string) => names.has(one) ? `"./${names.get(one)}"` : whole),
    ] as const
  );
  return { names, texts: new Map(texts) };
}

/** Names the page's scripts by their content and that of their imports, so that a file never changes under its name. */
import { scriptsLoadedWith } from "./script_imports.ts";

/** A reference to another script, by a static or dynamic import. */
const REFERENCE = /"\.\/([\w.-]+\.js)"/g;

/**
 * The suffix that the bundler adds to the name of a piece in each run. It is a hash of the sources, not of the minified
 * content.
 */
const SOURCE_HASH = /-[A-Z0-9]{8}(?=\.js$)/;

/** Renamed scripts. */
export interface ScriptNames {
  /** The new names by old name. */
  readonly names: ReadonlyMap<string, string>;
  /** The texts by new name. They refer to each other by new names. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Names scripts by their content. `hashed` inserts a part of the hash of a text into a name. */
export async function withContentNames(
  scripts: ReadonlyMap<string, string>,
  hashed: (name: string, text: string) => Promise<string>,
): Promise<ScriptNames> {
  const loads = new Map([...scripts].map(([file, text]) => [
    file,
    [...text.matchAll(REFERENCE)].map(([, script]) => script!).filter((script) => scripts.has(script)),
  ]));
  const names = new Map<string, string>();
  for (const file of scripts.keys()) {
    // Its own text comes first, so that two scripts that import each other get different names.
    const [own, ...others] = scriptsLoadedWith(file, loads);
    const all = [own!, ...others.sort()].map((script) => scripts.get(script)).join("\n");
    // Pieces are bundled twice, so there may be two suffixes.
    const stem = file.split("/").at(-1)!.replace(SOURCE_HASH, "").replace(SOURCE_HASH, "");
    names.set(file, await hashed(stem, all));
  }
  const texts = [...scripts].map(([file, text]) =>
    [
      names.get(file)!,
      text.replaceAll(REFERENCE, (whole, script: string) => names.has(script) ? `"./${names.get(script)}"` : whole),
    ] as const
  );
  return { names, texts: new Map(texts) };
}

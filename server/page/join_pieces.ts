/** Determines which pieces of the page's scripts become one file: those that are always loaded together. */
import { dynamicImportsIn, importsIn, scriptsLoadedWith } from "./script_imports.ts";

/** The maximum size in characters, with dependencies, of a piece to load at the start instead of in its own request. */
const SMALL = 1500;

/**
 * Adds imports to scripts, given by file name, so that the bundler merges pieces in a second run. Each dynamically
 * imported script gets an import of the script that is certainly loaded before it. The bundler then sees that its
 * dependencies are already loaded, and makes one file instead of one per combination of scripts with shared pieces.
 * Small pieces that several scripts share are imported by the first script. A browser then requests a few files instead
 * of dozens.
 */
export function withLoadedImports(scripts: ReadonlyMap<string, string>, first: string): Map<string, string> {
  const imports = new Map([...scripts].map(([file, text]) => [file, importsIn(text)]));
  const before = lastLoadedBefore(scripts, imports, first);
  const small = findSmallSharedPieces(scripts, imports, [...before.keys()], first);
  return new Map([...scripts].map(([file, text]) => {
    const earlier = before.get(file);
    const added = file === first ? small : earlier === undefined ? [] : [earlier];
    return [file, added.map((name) => `import "./${name}";\n`).join("") + text];
  }));
}

/** The small pieces that several dynamically imported scripts share, and that the first script does not import yet. */
function findSmallSharedPieces(
  scripts: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, readonly string[]>,
  dynamic: readonly string[],
  first: string,
): string[] {
  const loaded = new Set(scriptsLoadedWith(first, imports));
  const users = new Map<string, number>();
  for (const target of dynamic) {
    for (const piece of scriptsLoadedWith(target, imports).slice(1)) users.set(piece, (users.get(piece) ?? 0) + 1);
  }
  const missing = (piece: string) => scriptsLoadedWith(piece, imports).filter((script) => !loaded.has(script));
  const shared = [...users].flatMap(([piece, count]) =>
    count < 2 || loaded.has(piece) || dynamic.includes(piece)
      ? []
      : [{ piece, brings: scriptsLoadedWith(piece, imports).length }]
  );
  const small: string[] = [];
  // Pieces with few dependencies come first: what they load need not be loaded by the next ones.
  for (const { piece } of shared.sort((a, b) => a.brings - b.brings || (a.piece < b.piece ? -1 : 1))) {
    const added = missing(piece);
    const size = added.reduce((sum, script) => sum + (scripts.get(script)?.length ?? 0), 0);
    if (size > SMALL) continue;
    small.push(piece);
    for (const script of added) loaded.add(script);
  }
  return small.sort();
}

/** For each dynamically imported script, the last script that is loaded before it on every path from the first one. */
function lastLoadedBefore(
  scripts: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, readonly string[]>,
  first: string,
): Map<string, string> {
  const importers = new Map<string, string[]>();
  const paths = new Map([[first, new Set([first])]]);
  // The set grows during the iteration, so that scripts found by it are visited too.
  const reachable = new Set([first]);
  for (const script of reachable) {
    for (
      const target of scriptsLoadedWith(script, imports).flatMap((file) => dynamicImportsIn(scripts.get(file) ?? ""))
    ) {
      if (target === first) continue;
      reachable.add(target);
      importers.set(target, [...importers.get(target) ?? [], script]);
    }
  }
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const [target, by] of importers) {
      // Importers without a known path yet are ignored.
      const known = by.flatMap((script) => paths.get(script) ?? []);
      const shared = known.reduce((all, set) => all.intersection(set));
      const path = shared.union(new Set([target]));
      isChanged ||= path.size !== paths.get(target)?.size;
      paths.set(target, path);
    }
  }
  return new Map([...importers.keys()].map((target) => {
    const others = [...paths.get(target)!].filter((path) => path !== target);
    return [target, others.reduce((last, other) => paths.get(other)!.size > paths.get(last)!.size ? other : last)];
  }));
}

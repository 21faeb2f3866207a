/**
 * Removes scripts that only re-export another one: the bundler makes one for each script that is imported in both ways.
 */
import { dynamicImportsIn, importsIn, scriptsLoadedWith } from "./script_imports.ts";

/** A minified script that contains only imports and re-exports. */
const STUB = /^((?:import(?:\{[^{}"]*\}from)?"\.\/[\w.-]+";)+)(?:export\{([^{}"]*)\};)?\s*$/;
const IMPORT = /import\{([^{}"]*)\}from"\.\/([\w.-]+\.js)"/g;
const EXPORT = /export\{([^{}"]*)\};\n?$/;

/**
 * Merges each script that only re-exports another one into that one, which takes over its file name. `scripts` are
 * given by file name. A browser then requests one file instead of two.
 */
export function withoutStubs(scripts: ReadonlyMap<string, string>): Map<string, string> {
  const all = new Map(scripts);
  for (const file of scripts.keys()) {
    const found = stubOf(all, file);
    if (!found) continue;
    const { target, reexports } = found;
    const imports = new Map([...all].map(([name, text]) => [name, importsIn(text)]));
    const loaded = new Set(scriptsLoadedWith(target, imports));
    const missing = imports.get(file)!.filter((script) => !loaded.has(script));
    // No script may load more than before: users of the target must already load the imports of the stub.
    const users = [...imports.keys()].filter((imported) =>
      imported !== file && imports.get(imported)!.includes(target)
    );
    if (users.some((user) => missing.some((name) => !scriptsLoadedWith(user, imports).includes(name)))) continue;
    const text = missing.map((script) => `import"./${script}";`).join("") + withExports(all.get(target)!, reexports);
    all.delete(target);
    all.set(file, text);
    for (const [name, script] of all) all.set(name, script.replaceAll(`"./${target}"`, `"./${file}"`));
  }
  return all;
}

interface Stub {
  /** The script whose names the stub re-exports. */
  readonly target: string;
  /** Pairs `exported name of the target as exported name of the stub`. */
  readonly reexports: readonly string[];
}

function stubOf(scripts: ReadonlyMap<string, string>, file: string): Stub | undefined {
  const [, head = "", exported = ""] = STUB.exec(scripts.get(file) ?? "") ?? [];
  if (head === "") return undefined;
  const imported = [...head.matchAll(IMPORT)];
  const [target, ...others] = imported.length === 0 ? importsIn(head) : new Set(imported.map(([, , from]) => from!));
  if (target === undefined || others.length > 0) return undefined;
  // A target that is dynamically imported by its own name keeps it.
  const isDynamic = [...scripts.values()].some((text) => dynamicImportsIn(text).includes(target));
  if (isDynamic || !scripts.has(target)) return undefined;
  const names = new Map(imported.flatMap(([, list = ""]) => exportPairs(list)).map(([name, local]) => [local, name]));
  const pairs = exportPairs(exported);
  const own = exportsOf(scripts.get(target)!);
  // The target cannot export another value under a name that it already exports.
  if (pairs.some(([local, name]) => own.has(name) && name !== names.get(local))) return undefined;
  const reexports = pairs.map(([local, name]) => `${names.get(local)} as ${name}`);
  return { target, reexports };
}

/** Adds exports to a script, using the local names of its existing exports. */
function withExports(text: string, added: readonly string[]): string {
  if (added.length === 0) return text;
  const locals = exportsOf(text);
  const [whole = "", own = ""] = EXPORT.exec(text) ?? [];
  const more = added.flatMap((clause) => {
    const [name = "", wanted = name] = clause.split(" as ");
    return locals.has(wanted) ? [] : [`${locals.get(name)} as ${wanted}`];
  });
  const all = [own, ...more].filter((clause) => clause !== "").join(",");
  return `${text.slice(0, text.length - whole.length)}export{${all}};\n`;
}

/** The local names of a script's exports, by exported name. */
function exportsOf(text: string): ReadonlyMap<string, string> {
  return new Map(exportPairs(EXPORT.exec(text)?.[1] ?? "").map(([local, name]) => [name, local]));
}

/** The names before and after `as`: `a as start,b` yields `a` with `start`, and `b` twice. */
function exportPairs(names: string): [before: string, behind: string][] {
  return names.split(",").filter((part) => part !== "").map((part) => {
    const [before = "", behind = before] = part.split(" as ");
    return [before, behind];
  });
}

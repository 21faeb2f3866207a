/** Scripts that only hand out what another one has: the bundler makes one of each that is asked for and shared as well. */
import { askedForIn, importsIn, loadedBy } from "./script_imports.ts";

/** A script of nothing but imports and what it hands out of them, as the minifier writes it. */
const STUB = /^((?:import(?:\{[^{}"]*\}from)?"\.\/[\w.-]+";)+)(?:export\{([^{}"]*)\};)?\s*$/;
const TAKEN = /import\{([^{}"]*)\}from"\.\/([\w.-]+\.js)"/g;
const EXPORT = /export\{([^{}"]*)\};\n?$/;

/**
 * Scripts, by the names of their files, without those that only hand out what one other has: that one has their name, and hands
 * it out itself. A browser asks for one file in the place of two.
 */
export function withoutStubs(scripts: ReadonlyMap<string, string>): Map<string, string> {
  const all = new Map(scripts);
  for (const file of scripts.keys()) {
    const found = stubOf(all, file);
    if (!found) continue;
    const { holder, handedOut } = found;
    const imports = new Map([...all].map(([name, text]) => [name, importsIn(text)]));
    const there = new Set(loadedBy(holder, imports));
    const missing = imports.get(file)!.filter((one) => !there.has(one));
    // Nobody is to load more than before: whoever imports the holder has what the stub brings along.
    const users = [...imports.keys()].filter((one) => one !== file && imports.get(one)!.includes(holder));
    if (users.some((one) => missing.some((name) => !loadedBy(one, imports).includes(name)))) continue;
    const text = missing.map((one) => `import"./${one}";`).join("") + withExports(all.get(holder)!, handedOut);
    all.delete(holder);
    all.set(file, text);
    for (const [name, one] of all) all.set(name, one.replaceAll(`"./${holder}"`, `"./${file}"`));
  }
  return all;
}

interface Stub {
  /** The one script that has what the stub hands out. */
  readonly holder: string;
  /** The names under which the holder exports things, with those under which the stub does. */
  readonly handedOut: readonly string[];
}

function stubOf(scripts: ReadonlyMap<string, string>, file: string): Stub | undefined {
  const [, head = "", exported = ""] = STUB.exec(scripts.get(file) ?? "") ?? [];
  if (head === "") return undefined;
  const taken = [...head.matchAll(TAKEN)];
  const [holder, ...others] = taken.length === 0 ? importsIn(head) : new Set(taken.map(([, , from]) => from!));
  if (holder === undefined || others.length > 0) return undefined;
  // Whoever is asked for by a name of its own keeps it.
  const isAskedFor = [...scripts.values()].some((text) => askedForIn(text).includes(holder));
  if (isAskedFor || !scripts.has(holder)) return undefined;
  const names = new Map(taken.flatMap(([, list = ""]) => pairsIn(list)).map(([name, local]) => [local, name]));
  const pairs = pairsIn(exported);
  const own = exportsOf(scripts.get(holder)!);
  // A name that the holder has for something else already can stand for one thing only.
  if (pairs.some(([local, name]) => own.has(name) && name !== names.get(local))) return undefined;
  const handedOut = pairs.map(([local, name]) => `${names.get(local)} as ${name}`);
  return { holder, handedOut };
}

/** A script that exports more: by the names under which it exports the same things already. */
function withExports(text: string, added: readonly string[]): string {
  if (added.length === 0) return text;
  const locals = exportsOf(text);
  const [whole = "", own = ""] = EXPORT.exec(text) ?? [];
  const more = added.flatMap((one) => {
    const [name = "", wanted = name] = one.split(" as ");
    return locals.has(wanted) ? [] : [`${locals.get(name)} as ${wanted}`];
  });
  const all = [own, ...more].filter((one) => one !== "").join(",");
  return `${text.slice(0, text.length - whole.length)}export{${all}};\n`;
}

/** The names within a script of what it exports, by the names outside. */
function exportsOf(text: string): ReadonlyMap<string, string> {
  return new Map(pairsIn(EXPORT.exec(text)?.[1] ?? "").map(([local, name]) => [name, local]));
}

/** `a as start,b` as the names before and behind: `a` and `start`, `b` twice. */
function pairsIn(names: string): [before: string, behind: string][] {
  return names.split(",").filter((one) => one !== "").map((one) => {
    const [before = "", behind = before] = one.split(" as ");
    return [before, behind];
  });
}

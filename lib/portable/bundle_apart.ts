/**
 * Bundles a program into scripts that only V8 parses: a main script, and separate ones with what few starts need. Deno
 * parses every module completely before V8 does; V8 parses a function of a script when it is called. A script runs
 * without Node's modules, which would take longer to load than Deno takes to parse. Functions do not keep their names,
 * because each start would have to set them.
 */
import { joinProgram, minify } from "./run_bundler.ts";

/** Reads the script next to this module, and awaits its result. */
const START = `await eval(Deno.readTextFileSync(import.meta.dirname+"/main.cjs"));\n`;

/**
 * The module that loads the separate scripts, each once. A script that is imported dynamically lists the Node modules
 * that it needs, which are loaded first. `require` of a package is that of the program.
 */
const loaderOf = (script: string, exported: readonly string[]) =>
  `const known = {}, ofNode = {};
function load(name) {
  if (!name.startsWith("./")) return ofNode[name] ?? globalThis.require(name);
  const found = known[name];
  if (found) return found.exports;
  const module = known[name] = { exports: {}, later };
  try {
    (0, eval)(Deno.readTextFileSync(import.meta.dirname + name.slice(1)))(load, module, module.exports);
  } catch (error) {
    delete known[name];
    throw error;
  }
  return module.exports;
}
async function later(name, ...needed) {
  for (const one of needed) ofNode[one] ??= (await import(one)).default;
  return load(name);
}
export const { ${exported.join(", ")} } = load("./${script}");
`;

/** The options of {@link bundleApart}, as in `Bundle`. */
interface Parts {
  readonly root: string;
  readonly entry: string;
  readonly outDir: string;
  readonly apart: string;
}

/**
 * Bundles a program with a separate module: `main.js` runs the rest of the entry, and loads `APART.js`, which loads the
 * scripts of the module and of all dynamic imports.
 */
export async function bundleApart({ root, entry, outDir, apart }: Parts): Promise<void> {
  const loader = withEnding(apart, ".js");
  await bundleModule(`${entry.slice(0, entry.lastIndexOf("/"))}/${apart}`, { root, outDir });
  const exported = exportsOf(await Deno.readTextFile(`${outDir}/${loader}`));
  await toScripts(root, outDir);
  await Deno.writeTextFile(`${outDir}/${loader}`, loaderOf(withEnding(apart, ".cjs"), exported));
  await bundleMain(entry, { root, outDir, apart, loader });
}

async function bundleModule(module: string, { root, outDir }: Pick<Parts, "root" | "outDir">): Promise<void> {
  await joinProgram(root, ["--code-splitting", `--outdir=${outDir}`, module]);
}

/** Makes the script the body of an async function, because a script cannot use `await` at its top level. */
async function bundleMain(
  entry: string,
  { root, outDir, apart, loader }: Pick<Parts, "root" | "outDir"> & {
    readonly apart: string;
    readonly loader: string;
  },
): Promise<void> {
  const main = `${outDir}/main.js`;
  await joinProgram(root, [`--external=./${apart}`, `--output=${main}`, entry]);
  await Deno.writeTextFile(main, unnamedParts(await Deno.readTextFile(main)));
  await minify(root, main);
  const text = (await Deno.readTextFile(main)).replaceAll(`"./${apart}"`, `"./${loader}"`);
  await Deno.writeTextFile(`${outDir}/main.cjs`, `(async()=>{${text}})()`);
  await Deno.writeTextFile(main, START);
}

/**
 * Removes unused names: the bundler calls the function around a module that may be imported later by the path of its
 * source.
 * @throws if the bundler writes such functions in another way.
 */
function unnamedParts(text: string): string {
  const unnamed = text.replaceAll(/(= __esm\(\{\s*)"[^"]*"\(\)/g, "$1_()");
  // A program without such modules contains no match.
  if (unnamed === text && text.includes("__esm(")) throw new Error("Expected the bundler to name parts by their paths");
  return unnamed;
}

/**
 * Returns the names that a bundled module exports.
 * @throws if the bundler lists them in another way.
 */
function exportsOf(text: string): string[] {
  const [, list = ""] = /^export \{([^{}]*)\}/m.exec(text) ?? [];
  const names = list.split(",").map((name) => name.trim().split(" as ").at(-1)!).filter((name) => name !== "");
  // A module without exports has no list.
  if (names.length === 0 && /^export\b/m.test(text)) {
    throw new Error("Expected the bundler to list the exports of a module in braces");
  }
  return names;
}

/** Converts each bundled file below a folder to a script that {@link loaderOf} loads. */
async function toScripts(root: string, folder: string): Promise<void> {
  const names = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).filter((name) =>
    name.endsWith(".js")
  );
  for (const name of names) await Deno.rename(`${folder}/${name}`, `${folder}/${withEnding(name, ".cjs")}`);
  await minify(root, folder);
  const scripts = new Map<string, string>();
  for (const name of names.map((name) => withEnding(name, ".cjs"))) {
    const text = await Deno.readTextFile(`${folder}/${name}`);
    scripts.set(`./${name}`, text.replaceAll(/\b(require|import)\("(\.\/[^"]*)\.js"\)/g, '$1("$2.cjs")'));
  }
  for (const [path, text] of scripts) {
    const later = text.replaceAll(/\bimport\("(\.\/[^"]*)"\)/g, (_, imported: string) => {
      const words = [imported, ...nodeModulesOf(imported, scripts)].map((word) => JSON.stringify(word));
      return `module.later(${words.join(",")})`;
    });
    await Deno.writeTextFile(`${folder}/${path}`, `(function(require,module,exports){"use strict";${later}\n})`);
  }
}

/** Returns the Node modules that a script needs immediately, directly or through what it requires. */
function nodeModulesOf(path: string, scripts: ReadonlyMap<string, string>): string[] {
  const seen = new Set([path]);
  for (const module of seen) {
    for (const [, required = ""] of scripts.get(module)?.matchAll(/\brequire\("((?:\.\/|node:)[^"]*)"\)/g) ?? []) {
      seen.add(required);
    }
  }
  return [...seen].filter((module) => module.startsWith("node:")).sort();
}

function withEnding(path: string, ending: string): string {
  return path.replace(/\.[jt]s$/, ending);
}

/** Programs as a few files that Deno starts quickly. */
import { bundleApart } from "./bundle_apart.ts";
import { COMPILED } from "./compile_ahead.ts";
import { joinProgram, minify } from "./run_bundler.ts";

/** The arguments of a bundle: one entry, with all that it imports, and a folder for the result. */
export interface Bundle {
  /** The root of the project; it ends with a slash. */
  readonly root: string;
  /** The entry, from the root of the project. */
  readonly entry: string;
  /** The folder for the files: the entry's own is `main.js`, and modules that it imports dynamically lie beside it. */
  readonly outDir: string;
  /**
   * A module beside the entry that is bundled apart, with a copy of what both need; then all the rest of the entry is one
   * file, and all files are scripts. Every file that is loaded costs memory, for as long as the process lives.
   */
  readonly apart?: string;
}

/** The arguments of a bundle of scripts. */
export interface Scripts extends Omit<Bundle, "apart"> {
  /** Modules, from the root of the project, that are only imported dynamically: each becomes a script of its own. */
  readonly apart: readonly string[];
  /** Programs of threads, from the root of the project: each becomes a script, and a file `NAME.js` that starts it. */
  readonly threads?: readonly string[];
}

/** The file that starts bundled scripts, and the script of the program itself. */
export const SCRIPT_START = "start.js";
export const SCRIPT_MAIN = "main.cjs";

/** Makes a function of the script and calls it, by what V8 kept of it where it lies there: see {@link bundleScripts}. */
const startOf = (script: string) =>
  `import { createRequire } from "node:module";
import { Script } from "node:vm";
const filename = new URL("./${script}", import.meta.url).pathname;
let cachedData;
try {
  cachedData = Deno.readFileSync(filename + "${COMPILED}");
} catch { /* V8 compiles it now. */ }
const main = new Script(Deno.readTextFileSync(filename), { filename, cachedData }).runInThisContext();
const module = { exports: {} };
main(createRequire(import.meta.url), module, module.exports);
`;

/** Functions and classes have the names that they have in the sources. */
const NAMES = "--keep-names";

/** Bundles a program for Deno; files are named by content, so the same sources give the same bytes. */
export async function bundle({ root, entry, outDir, apart }: Bundle): Promise<void> {
  await emptyFolder(outDir);
  if (apart !== undefined) return await bundleApart({ root, entry, outDir, apart });
  await bundleInParts(root, entry, outDir, "main.js");
  for await (const file of walk(outDir)) if (file.endsWith(".js")) await hideLaterImports(file);
}

/**
 * Bundles a large program that needs Node's modules: {@link SCRIPT_START} starts it. A module would be parsed twice, and
 * first by Deno, whole, which for a megabyte takes 0.2 s and 40 MiB at every start of a container; a script is V8's
 * alone, which parses a function when it is called.
 */
export async function bundleScripts({ root, entry, outDir, apart, threads = [] }: Scripts): Promise<void> {
  await emptyFolder(outDir);
  const main = `${outDir}/${SCRIPT_MAIN}`;
  const externals = apart.map((source) => `--external=./${nameOf(source)}.ts`);
  await toScript(root, main, [...externals, entry]);
  let text = await Deno.readTextFile(main);
  for (const source of apart) {
    const name = nameOf(source);
    await toScript(root, `${outDir}/${name}.cjs`, [source]);
    text = text.replaceAll(`import("./${name}.ts")`, `require("./${name}.cjs")`);
  }
  await writeScript(main, text, `${outDir}/${SCRIPT_START}`);
  for (const path of threads) {
    const name = nameOf(path);
    const script = `${outDir}/${name}.cjs`;
    await toScript(root, script, [path]);
    await writeScript(script, await Deno.readTextFile(script), `${outDir}/${name}.js`);
  }
}

/**
 * The function by which the bundler gives functions and classes the names that they have in the sources; its argument has
 * a number where a module has something of that name.
 */
const NAMING = /var __name = \(target\d*, value\) => __defProp\(target\d*, "name", \{ value, configurable: true \}\);/g;

/**
 * The text of a script in which functions and classes have their names as before, but for arrow functions that are made
 * when the script has begun its work: each time one is made, its name would cost more than all else about it.
 * @throws when the bundler names things in another way.
 */
export function namedAtStart(text: string): string {
  const found = text.match(NAMING)?.length ?? 0;
  if (found !== 1) throw new Error(`Expected the bundler to name functions in one place, got ${found} places`);
  const naming = `var __begins = true;
var __name = (named, value) =>
  __begins || Object.hasOwn(named, "prototype") ? __defProp(named, "name", { value, configurable: true }) : named;`;
  return `${text.replace(NAMING, () => naming)}\n__begins = false;\n`;
}

async function toScript(root: string, out: string, args: readonly string[]): Promise<void> {
  await joinProgram(root, [NAMES, "--format=cjs", `--output=${out}`, ...args]);
  await Deno.writeTextFile(out, namedAtStart(await Deno.readTextFile(out)));
  await minify(root, out);
  await Deno.writeTextFile(out, requiredLater(await Deno.readTextFile(out)));
}

/** The text of a script in which modules of Node's that are imported later are required then: a script imports nothing. */
function requiredLater(text: string): string {
  return text.replaceAll(/\bimport\(("node:[\w/]+")\)/g, "Promise.resolve().then(()=>require($1))");
}

/** @throws when the script would import something while it runs. */
async function writeScript(file: string, text: string, start: string): Promise<void> {
  const [, imported] = /\bimport\("([^"]*)"/.exec(text) ?? [];
  if (imported !== undefined) throw new Error(`Expected ${file} to import nothing, it imports ${imported}`);
  await Deno.writeTextFile(file, `(function (require, module, exports) {"use strict";${text}\n})`);
  await Deno.writeTextFile(start, startOf(file.split("/").at(-1)!));
}

function nameOf(path: string): string {
  return path.split("/").at(-1)!.replace(/\.ts$/, "");
}

/** Makes a folder that has nothing in it. */
export async function emptyFolder(folder: string): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.mkdir(folder, { recursive: true });
}

/** Bundles into a file of the given name, and files beside it for all that is imported dynamically. */
async function bundleInParts(root: string, entry: string, outDir: string, name: string): Promise<void> {
  const own = entry.split("/").at(-1)!.replace(/\.ts$/, ".js");
  await joinProgram(root, [NAMES, "--code-splitting", `--outdir=${outDir}`, entry]);
  await minify(root, outDir);
  for await (const file of walk(outDir)) {
    if (file.endsWith(`/${own}`) && file !== `${outDir}/${name}`) await Deno.rename(file, `${outDir}/${name}`);
  }
}

/**
 * Deno reads and parses, when it starts, every file that it sees a program may import later: here 60 ms of CPU and 28 MB in front
 * of every user's command. It does not see a name that is computed.
 */
async function hideLaterImports(file: string): Promise<void> {
  const text = await Deno.readTextFile(file);
  await Deno.writeTextFile(file, text.replace(/\bimport\(("[^"]*")\)/g, "import(String($1))"));
}

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* walk(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

/** Bundles programs into a few files that Deno starts quickly. */
import { bundleApart } from "./bundle_apart.ts";
import { COMPILED } from "./compile_ahead.ts";
import { joinProgram, minify } from "./run_bundler.ts";

/** The options of a bundle: an entry, which is bundled with all its imports, and a folder for the result. */
export interface Bundle {
  /** The root of the project, with a slash at its end. */
  readonly root: string;
  /** The path of the entry, relative to the root. */
  readonly entry: string;
  /**
   * The folder for the files. The entry becomes `main.js`; modules that it imports dynamically are in the same folder.
   */
  readonly outDir: string;
  /**
   * A module in the folder of the entry that is bundled separately, with a copy of the modules that both need. The rest
   * of the entry is then one file, and all files are scripts. Every loaded file costs memory as long as the process
   * runs.
   */
  readonly apart?: string;
}

/** The options of a bundle of scripts. */
export interface Scripts extends Omit<Bundle, "apart"> {
  /** Modules, relative to the root, that are only imported dynamically: each becomes a separate script. */
  readonly apart: readonly string[];
  /** Programs of threads, relative to the root: each becomes a script, and a file `NAME.js` that starts it. */
  readonly threads?: readonly string[];
}

/** The file that starts bundled scripts, and the script of the program. */
export const SCRIPT_START = "start.js";
export const SCRIPT_MAIN = "main.cjs";

/** Compiles the script to a function and calls it, with V8's code cache if it exists: see {@link bundleScripts}. */
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

/** Keeps the names of functions and classes. */
const NAMES = "--keep-names";

/** Bundles a program for Deno. Files are named by content, so the same sources give the same bytes. */
export async function bundle({ root, entry, outDir, apart }: Bundle): Promise<void> {
  await emptyFolder(outDir);
  if (apart !== undefined) return await bundleApart({ root, entry, outDir, apart });
  await bundleInParts(root, entry, outDir, "main.js");
  for await (const file of walk(outDir)) if (file.endsWith(".js")) await hideLaterImports(file);
}

/**
 * Bundles a large program that needs Node's modules; {@link SCRIPT_START} starts it. A module would be parsed twice,
 * first by Deno and completely, which for a megabyte takes 0.2 s and 40 MiB at every start of a container. A script is
 * parsed only by V8, which parses a function when it is called.
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
 * The function with which the bundler sets the names of functions and classes. Its parameter has a numeric suffix if a
 * module has a variable of that name.
 */
const NAMING = /var __name = \(target\d*, value\) => __defProp\(target\d*, "name", \{ value, configurable: true \}\);/g;

/**
 * Returns the script with its functions and classes named, except for arrow functions that are created after the start:
 * naming each of them would cost more than creating it.
 * @throws if the bundler sets names in another way.
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

/**
 * Returns the script with dynamic imports of Node's modules replaced by `require`, because a script imports nothing.
 */
function requiredLater(text: string): string {
  return text.replaceAll(/\bimport\(("node:[\w/]+")\)/g, "Promise.resolve().then(()=>require($1))");
}

/** @throws if the script would import something at run time. */
async function writeScript(file: string, text: string, start: string): Promise<void> {
  const [, imported] = /\bimport\("([^"]*)"/.exec(text) ?? [];
  if (imported !== undefined) throw new Error(`Expected ${file} to import nothing, but it imports ${imported}`);
  await Deno.writeTextFile(file, `(function (require, module, exports) {"use strict";${text}\n})`);
  await Deno.writeTextFile(start, startOf(file.split("/").at(-1)!));
}

function nameOf(path: string): string {
  return path.split("/").at(-1)!.replace(/\.ts$/, "");
}

/** Creates an empty folder, deleting an existing one. */
export async function emptyFolder(folder: string): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.mkdir(folder, { recursive: true });
}

/** Bundles into a file with the given name, and files next to it for all dynamic imports. */
async function bundleInParts(root: string, entry: string, outDir: string, name: string): Promise<void> {
  const own = entry.split("/").at(-1)!.replace(/\.ts$/, ".js");
  await joinProgram(root, [NAMES, "--code-splitting", `--outdir=${outDir}`, entry]);
  await minify(root, outDir);
  for await (const file of walk(outDir)) {
    if (file.endsWith(`/${own}`) && file !== `${outDir}/${name}`) await Deno.rename(file, `${outDir}/${name}`);
  }
}

/**
 * Hides dynamic imports from Deno. At its start, Deno reads and parses every file that it sees a program may import
 * later: here 60 ms of CPU time and 28 MB before every user command. It does not recognize computed names.
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

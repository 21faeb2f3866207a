import { outputOf } from "./command.ts";

const ROOT = new URL("..", import.meta.url).pathname;

/** What to bundle: one entry and all it imports. */
export interface Bundle {
  /** The entry, from the root of the project. */
  readonly entry: string;
  /** Where the files go; the entry's own is `main.js`, what it imports dynamically lies beside it. */
  readonly outDir: string;
  /**
   * A module beside the entry that is bundled apart, with a copy of what both need; then all the rest of the entry is one
   * file. Every file that is loaded costs memory, for as long as the process lives.
   */
  readonly apart?: string;
}

const OPTIONS = ["--quiet", "--platform=deno", "--minify", "--keep-names"];

/** Bundles a program for Deno; files are named by content, so the same sources give the same bytes. */
export async function bundle({ entry, outDir, apart }: Bundle): Promise<void> {
  await Deno.remove(outDir, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.mkdir(outDir, { recursive: true });
  if (apart === undefined) await bundleInParts(entry, outDir, "main.js");
  else await bundleApart(entry, outDir, apart);
  for await (const file of walk(outDir)) if (file.endsWith(".js")) await hideLaterImports(file);
}

async function bundleApart(entry: string, outDir: string, apart: string): Promise<void> {
  const main = `${outDir}/main.js`;
  await outputOf([Deno.execPath(), "bundle", ...OPTIONS, `--external=./${apart}`, `--output=${main}`, entry], {
    cwd: ROOT,
  });
  const script = apart.replace(/\.ts$/, ".js");
  const text = await Deno.readTextFile(main);
  await Deno.writeTextFile(main, text.replaceAll(`"./${apart}"`, `"./${script}"`));
  await bundleInParts(`${entry.slice(0, entry.lastIndexOf("/"))}/${apart}`, outDir, script);
}

/** Bundles into a file of the given name, and files beside it for all that is imported dynamically. */
async function bundleInParts(entry: string, outDir: string, name: string): Promise<void> {
  const own = entry.split("/").at(-1)!.replace(/\.ts$/, ".js");
  await outputOf([Deno.execPath(), "bundle", ...OPTIONS, "--code-splitting", `--outdir=${outDir}`, entry], {
    cwd: ROOT,
  });
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

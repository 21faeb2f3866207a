import { outputOf } from "./command.ts";

const ROOT = new URL("..", import.meta.url).pathname;

/** What to bundle: one entry and all it imports. */
export interface Bundle {
  /** The entry, from the root of the project. */
  readonly entry: string;
  /** Where the files go; the entry's own is `main.js`, what it imports dynamically lies beside it. */
  readonly outDir: string;
}

/** Bundles a program for Deno; files are named by content, so the same sources give the same bytes. */
export async function bundle({ entry, outDir }: Bundle): Promise<void> {
  await Deno.remove(outDir, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await Deno.mkdir(outDir, { recursive: true });
  const options = ["--quiet", "--platform=deno", "--minify", "--keep-names", "--code-splitting"];
  await outputOf([Deno.execPath(), "bundle", ...options, `--outdir=${outDir}`, entry], { cwd: ROOT });
  const name = entry.split("/").at(-1)!.replace(/\.ts$/, ".js");
  for await (const file of walk(outDir)) {
    if (file.endsWith(`/${name}`) && file !== `${outDir}/main.js`) await Deno.rename(file, `${outDir}/main.js`);
  }
}

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* walk(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

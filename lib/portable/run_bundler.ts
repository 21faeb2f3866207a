/** The bundler, in two steps: Deno joins the files of a program, then the scripts are minified. */
import { existsSync } from "node:fs";
import { filePath } from "@tiphys/base/file_path";

/**
 * Arguments that select the packages of the programs, if the project lists them in `run.lock`. With `deno.lock`, Deno
 * would also download those of all tests.
 */
function lockFlags(root: string): string[] {
  const lock = `${root}run.lock`;
  return existsSync(lock) ? [`--lock=${lock}`, "--frozen"] : [];
}

/**
 * Runs `deno bundle` with arguments that name files relative to the root. A package that calls `require` uses that of
 * the program (`executor/node_require.ts`); the one that Deno would add loads Node's modules at every start.
 */
export async function joinFiles(root: string, args: readonly string[]): Promise<void> {
  await runStep(root, ["bundle", "--quiet", ...lockFlags(root), ...args], { NO_DENO_BUNDLE_HACK: "1" });
}

/** Like {@link joinFiles}, for a program that Deno runs. */
export async function joinProgram(root: string, args: readonly string[]): Promise<void> {
  await joinFiles(root, ["--platform=deno", ...args]);
}

/**
 * Minifies a script in place, or all scripts below a folder. The bundler's own `--minify` does not dispose of variables
 * that are declared by `using` and not used otherwise (https://github.com/evanw/esbuild/issues/4482); a later release
 * of the same minifier does. `lineLimit` breaks long lines: Node.js prints the line of an uncaught error.
 */
export async function minify(root: string, path: string, lineLimit?: number): Promise<void> {
  const program = filePath(import.meta.resolve("./minify.ts"));
  const limit = lineLimit === undefined ? [] : [String(lineLimit)];
  await runStep(root, ["run", "--quiet", ...lockFlags(root), "-A", program, path, ...limit]);
}

async function runStep(root: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { NO_COLOR: "1", ...env },
    stdout: "null",
  }).output();
  if (!success) throw new Error(`Could not bundle ${args.at(-1)}: ${new TextDecoder().decode(stderr).trim()}`);
}

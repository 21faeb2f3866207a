/** The bundler, in two steps: Deno joins the files of a program, then scripts are made small. */
import { existsSync } from "node:fs";
import { filePath } from "@tiphys/base/file_path";

/**
 * Arguments that select the packages of the programs, for a project that lists them in `run.lock`: with `deno.lock`, Deno would
 * fetch those of all tests, too.
 */
function lockFlags(root: string): string[] {
  const lock = `${root}run.lock`;
  return existsSync(lock) ? [`--lock=${lock}`, "--frozen"] : [];
}

/**
 * Runs `deno bundle` with arguments that name files from the root of the project. A package that calls `require` gets it of the
 * program (`executor/node_require.ts`): what Deno would put in front of all loads Node's modules at every start.
 */
export async function joinFiles(root: string, args: readonly string[]): Promise<void> {
  await runStep(root, ["bundle", "--quiet", ...lockFlags(root), ...args], { NO_DENO_BUNDLE_HACK: "1" });
}

/** The same for a program that Deno runs. */
export async function joinProgram(root: string, args: readonly string[]): Promise<void> {
  await joinFiles(root, ["--platform=deno", ...args]);
}

/**
 * Makes a script small where it lies, or all scripts below a folder. The bundler's own `--minify` forgets to dispose of what is
 * declared by `using` and named once (https://github.com/evanw/esbuild/issues/4482); a later release of the same minifier does
 * not.
 */
export async function minify(root: string, path: string): Promise<void> {
  await runStep(root, ["run", "--quiet", ...lockFlags(root), "-A", filePath(import.meta.resolve("./minify.ts")), path]);
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

/** V8's code cache of a bundled script, stored next to it: a start uses it instead of compiling. */

/** The extension of the cache file, which is appended to the script's name. */
export const COMPILED = ".cache";

/**
 * Creates the cache after running the script, so that it contains the functions that a start calls. V8 ignores the
 * cache, and compiles, if its version or flags differ.
 */
const compilerOf = (script: string) =>
  `import { createRequire } from "node:module";
import { Script } from "node:vm";
const filename = ${JSON.stringify(script)};
const script = new Script(Deno.readTextFileSync(filename), { filename });
addEventListener("unload", () => Deno.writeFileSync(filename + "${COMPILED}", script.createCachedData()));
const module = { exports: {} };
script.runInThisContext()(createRequire(import.meta.url), module, module.exports);
`;

/**
 * Stores V8's code cache of a bundled script, after running it with `--help`. `flags` are the flags of Deno with which
 * the program runs. The same script gives the same file.
 * @throws if the program fails.
 */
export async function compileAhead(script: string, flags: readonly string[]): Promise<void> {
  const compiler = `${script}.js`;
  await Deno.writeTextFile(compiler, compilerOf(script));
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, compiler, "--help"],
      stdout: "null",
    }).output();
    if (!success) throw new Error(`Could not compile ${script}: ${new TextDecoder().decode(stderr).trim()}`);
  } finally {
    await Deno.remove(compiler);
  }
}

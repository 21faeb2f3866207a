/** The code that V8 made of a bundled script, kept beside it: a start takes it in place of compiling. */

/** The ending of such a file, behind the script's own name. */
export const COMPILED = ".cache";

/**
 * The code that is made when a script was run, so that it holds the functions that a start calls. Where V8 is of another
 * version, or is given other flags, it takes no notice of the file, and compiles.
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
 * Keeps what V8 makes of a bundled script when the program is asked for its help; `flags` are those of Deno, which the
 * program is run with. The same script makes the same file.
 * @throws when the program fails.
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

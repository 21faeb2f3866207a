/** The program that makes scripts small where they lie: `deno run -A minify.ts FILE_OR_FOLDER`. */
import { stop, transform } from "esbuild";

/** The scripts that a path names: itself, or all that lie below it. */
async function* scriptsOf(path: string): AsyncGenerator<string> {
  if (!(await Deno.stat(path)).isDirectory) return yield path;
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory || /\.c?js$/.test(name)) yield* scriptsOf(`${path}/${name}`);
  }
}

for await (const file of scriptsOf(Deno.args[0]!)) {
  const { code } = await transform(await Deno.readTextFile(file), {
    minify: true,
    // Names at the top of a module are its own; those of a plain script would be everybody's, and kept.
    format: file.endsWith(".cjs") ? "cjs" : "esm",
    target: "esnext",
    // V8 keeps and reads a text of ASCII in half of the memory.
    charset: "ascii",
  });
  await Deno.writeTextFile(file, code);
}
await stop();

/** The program that makes scripts and styles small where they lie: `deno run -A minify.ts FILE_OR_FOLDER`. */
import { stop, transform } from "esbuild";

/** The scripts and styles that a path names: itself, or all that lie below it. */
async function* scriptsOf(path: string): AsyncGenerator<string> {
  if (!(await Deno.stat(path)).isDirectory) return yield path;
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory || /\.(c?js|css)$/.test(name)) yield* scriptsOf(`${path}/${name}`);
  }
}

for await (const file of scriptsOf(Deno.args[0]!)) {
  const { code } = await transform(await Deno.readTextFile(file), {
    minify: true,
    loader: file.endsWith(".css") ? "css" : "js",
    // Names at the top of a module are its own; those of a plain script would be everybody's, and kept.
    ...file.endsWith(".css") ? {} : { format: file.endsWith(".cjs") ? "cjs" : "esm" },
    target: "esnext",
    // V8 keeps and reads a text of ASCII in half of the memory.
    charset: "ascii",
  });
  await Deno.writeTextFile(file, code);
}
await stop();

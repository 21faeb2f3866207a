/** A program that minifies scripts and styles in place: `deno run -A minify.ts FILE_OR_FOLDER [CHARACTERS_IN_A_LINE]`. */
import { stop, transform } from "esbuild";

/** The scripts and styles at a path: the file itself, or all files below the folder. */
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
    // Names at the top level of a module can be shortened; those of a plain script are global, and would be kept.
    ...file.endsWith(".css") ? {} : { format: file.endsWith(".cjs") ? "cjs" : "esm" },
    target: "esnext",
    // V8 stores a text of ASCII characters in half of the memory.
    charset: "ascii",
    ...Deno.args[1] === undefined ? {} : { lineLimit: Number(Deno.args[1]) },
  });
  await Deno.writeTextFile(file, code);
}
await stop();

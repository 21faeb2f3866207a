/**
 * A Deno that starts in any root file system, also one with another libc or none: its own loader and libraries lie
 * beside it under /argo-bin, and its program header names that loader.
 */
import { hasProgram, outputOf } from "./command.ts";

const LOADER = /ld-linux[^/]*$/;

/** Where the tree is mounted when it is used; the paths in the program's header. */
const PREFIX = "/argo-bin";

/**
 * Lays out `bin/deno` and `lib/` in a folder.
 * @throws {Error} when `patchelf` is not installed.
 */
export async function layOutDeno(root: string): Promise<void> {
  if (!await hasProgram("patchelf")) {
    throw new Error("Expected the program patchelf (Debian: apt-get install patchelf) to make a portable executor");
  }
  await Deno.mkdir(`${root}/bin`, { recursive: true });
  await Deno.mkdir(`${root}/lib`, { recursive: true });
  const deno = `${root}/bin/deno`;
  await Deno.copyFile(Deno.execPath(), deno);
  const libraries = (await outputOf(["ldd", deno])).match(/\/\S+/g) ?? [];
  for (const library of new Set(libraries)) {
    await Deno.copyFile(await Deno.realPath(library), `${root}/lib/${library.split("/").at(-1)}`);
  }
  const loader = libraries.map((library) => library.split("/").at(-1)!).find((name) => LOADER.test(name));
  if (!loader) throw new Error(`Expected a loader among the libraries of ${deno}, got ${libraries.join(", ")}`);
  await Deno.chmod(`${root}/lib/${loader}`, 0o755);
  await Deno.chmod(deno, 0o755);
  await outputOf(["patchelf", "--set-interpreter", `${PREFIX}/lib/${loader}`, "--set-rpath", `${PREFIX}/lib`, deno]);
}

/** Writes a program that Deno runs: an executable script that imports a bundle. */
export async function writeProgram(file: string, interpreter: string, bundle: string): Promise<void> {
  await Deno.writeTextFile(file, `#!${interpreter} -A\nimport ${JSON.stringify(bundle)};\n`);
  await Deno.chmod(file, 0o755);
}

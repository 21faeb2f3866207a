/**
 * A Deno that starts in any root file system, also one with another libc or none: its own loader and libraries lie
 * beside it under /argo-bin, and its program header names that loader.
 */
import { PATH } from "@tiphys/base/constants";
import { BUNDLE_FLAGS, BUNDLE_VARIABLES, canMakePrograms, launcher } from "@tiphys/portable/elf";
import { copyLibraries } from "@tiphys/portable";
import { hasProgram, outputOf } from "./command.ts";

/** The path at which the tree is mounted when it is used; the paths in the program's header begin with it. */
const PREFIX = PATH.argoBin;

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
  const loader = await copyLibraries(deno, `${root}/lib`);
  if (!loader) throw new Error(`Expected a loader among the libraries of ${deno}, found none`);
  await Deno.chmod(deno, 0o755);
  await outputOf(["patchelf", "--set-interpreter", `${PREFIX}/lib/${loader}`, "--set-rpath", `${PREFIX}/lib`, deno]);
}

/** The flags of Deno with which a program is run. */
export interface ProgramFlags {
  /** The flags beside those that every bundle is run with. */
  readonly flags?: readonly string[];
  /** The permissions of Deno that it has; all of them when absent. */
  readonly permissions?: readonly string[];
  /** The variables (`NAME=value`) beside those that every bundle is run with; its environment may say otherwise. */
  readonly variables?: readonly string[];
}

/** The flags with which Deno runs a bundle, with the permissions of a program in place of all. */
export function denoFlags({ flags = [], permissions = ALL }: ProgramFlags): string[] {
  return [...permissions, ...BUNDLE_FLAGS.filter((flag) => !ALL.includes(flag)), ...flags];
}

const ALL = ["--allow-all"];

/**
 * Writes a program that runs a module: a launcher where we have one, else a script. Both know Deno and the module by their
 * paths in a container. Caches would be written into the user's image, so they go nowhere.
 */
export async function writeProgram(file: string, module: string, flags: ProgramFlags = {}): Promise<void> {
  const program = `${PREFIX}/bin/deno`;
  if (canMakePrograms()) {
    const args = ["deno", "run", ...denoFlags(flags), module];
    await Deno.writeFile(file, launcher({ program, args, variables: [...BUNDLE_VARIABLES, ...flags.variables ?? []] }));
  } else {
    await Deno.writeTextFile(file, `#!${program} -A\nimport ${JSON.stringify(module)};\n`);
  }
  await Deno.chmod(file, 0o755);
}

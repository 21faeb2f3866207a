/**
 * A Deno that starts in any root file system, also one with another C library or without one: its own loader and
 * libraries are next to it under /argo-bin, and its program header names that loader.
 */
import { PATH } from "@tiphys/base/constants";
import { BUNDLE_FLAGS, BUNDLE_VARIABLES, canMakePrograms, launcher } from "@tiphys/portable/elf";
import { copyLibraries } from "@tiphys/portable";
import { hasProgram, outputOf } from "./command.ts";

/** The path at which the tree is mounted in a container; the paths in the program's header begin with it. */
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

/** Deno's flags for a program. */
export interface ProgramFlags {
  /** Flags in addition to those of every bundle. */
  readonly flags?: readonly string[];
  /** The permissions of Deno; all of them when absent. */
  readonly permissions?: readonly string[];
  /** Variables (`NAME=value`) in addition to those of every bundle; the environment of the program has priority. */
  readonly variables?: readonly string[];
}

/** The flags of Deno for a bundle, with the permissions of a program instead of all. */
export function denoFlags({ flags = [], permissions = ALL }: ProgramFlags): string[] {
  return [...permissions, ...BUNDLE_FLAGS.filter((flag) => !ALL.includes(flag)), ...flags];
}

const ALL = ["--allow-all"];

/**
 * Writes a program that runs a module: a launcher if one is available, otherwise a script. Both contain the paths of
 * Deno and the module in a container. Caches are disabled, because they would be written into the user's image.
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

/**
 * Mounts content below volumes at separate paths, for engines that mount by path. The paths show what was opened,
 * regardless of later changes in the volume. The program unmounts them and ends when its standard input ends.
 */
import { KernelProgram } from "@tiphys/portable/elf";
import type { Mount } from "../runtime.ts";
import * as linux from "./kernel_words.ts";
import { MountCalls } from "./mount_calls.ts";

/** The report on the standard output when everything is mounted. */
export const PINNED = 5;

const STDOUT = 1;

/** A mount of a path below its source. */
export type PinnedMount = Mount & { readonly below: string };

/** The folder for the mounts, and whether the program may mount. */
export interface Pinning {
  /** A folder that only this user can enter. The content of the first mount appears as `0` in it, and so on. */
  readonly folder: string;
  /** Whether the program may mount. Otherwise it only creates missing folders and checks that paths stay inside. */
  readonly mayMount: boolean;
}

/** Generates the program. */
export function pinProgram(mounts: readonly PinnedMount[], { folder, mayMount }: Pinning): KernelProgram {
  const program = new KernelProgram();
  const calls = new MountCalls(program);
  const [volume, found, shown, here] = [program.slot(), program.slot(), program.slot(), program.slot()];
  const openFolder = linux.O_PATH | linux.O_DIRECTORY | linux.O_CLOEXEC;
  program.reportTo(STDOUT).attempt("setsid").attempt("umask", 0)
    .must("open a folder", "openat", linux.AT_FDCWD, program.text(folder), openFolder).keep(here);
  for (const [place, { source, target, below, isFixed = false }] of mounts.entries()) {
    const what = `open ${JSON.stringify(below)} of the volume at ${target}`;
    program.must(what, "openat", linux.AT_FDCWD, program.text(source), openFolder).keep(volume);
    calls.openBelow(what, volume, below, found, { isFixed });
    if (mayMount) {
      const flags = linux.OPEN_TREE_CLONE | linux.O_CLOEXEC | linux.AT_EMPTY_PATH | linux.AT_RECURSIVE;
      program.must(what, "open_tree", found, program.text(""), flags).keep(shown);
      calls.attachBelow(what, shown, here, String(place));
      program.attempt("close", shown);
    }
    program.attempt("close", found).attempt("close", volume);
  }
  program.report(PINNED).attempt("read", 0, { addressOf: volume }, 1);
  if (mayMount) {
    for (const place of mounts.keys()) program.attempt("umount2", program.text(`${folder}/${place}`), linux.MNT_DETACH);
  }
  return program.exit(0);
}

/**
 * Shows what lies below volumes at paths of its own, for engines that mount by path: what was opened is what lies there,
 * whatever is put in its place meanwhile. It takes that back and ends when its standard input does.
 */
import { KernelProgram } from "@tiphys/portable/elf";
import type { Mount } from "../runtime.ts";
import * as linux from "./kernel_words.ts";
import { MountCalls } from "./mount_calls.ts";

/** The number that is told on the standard output when all is there. */
export const PINNED = 5;

const STDOUT = 1;

/** A mount of what lies below its source. */
export type PinnedMount = Mount & { readonly below: string };

/** The folder in which the mounts are shown, and whether the program may mount them there itself. */
export interface Pinning {
  /** A folder that nobody else can enter. The content of the first mount is shown as `0` in it, and so on. */
  readonly folder: string;
  /** Whether it may mount; else it only makes what is missing, and looks whether all lies within. */
  readonly mayMount: boolean;
}

/** Makes the program. */
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
      calls.place(what, shown, here, String(place));
      program.attempt("close", shown);
    }
    program.attempt("close", found).attempt("close", volume);
  }
  program.tell(PINNED).attempt("read", 0, { addressOf: volume }, 1);
  if (mayMount) {
    for (const place of mounts.keys()) program.attempt("umount2", program.text(`${folder}/${place}`), linux.MNT_DETACH);
  }
  return program.exit(0);
}

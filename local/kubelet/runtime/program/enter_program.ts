/** The program that runs a command in a container beside its own. It lies outside of the container, where it is also started. */
import { KernelProgram } from "@tiphys/portable/elf";
import type { Identity } from "../container_plan.ts";
import type { ContainerSpec } from "../runtime.ts";
import { begin, goFirst, keepLife, LIFE, lifePipe, liveWith, REPORT } from "./begin_calls.ts";
import * as linux from "./kernel_words.ts";
import { joinGroups, type LaunchWorld, liveWithUs, needsInner, ownOutput } from "./launch_program.ts";

/** The container to enter, and the command that is run there. */
export interface Entrance {
  readonly spec: ContainerSpec;
  readonly identity: Identity;
  readonly command: readonly string[];
  /** The keeper and the first process of the container, as this machine numbers them. */
  readonly keeper: number;
  readonly first: number;
  readonly groups: readonly string[];
  readonly processLimit: number | undefined;
  /** A file of ours into which a failed step is written. */
  readonly state: string;
}

const ALL = linux.CLONE_NEWUSER | linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS |
  linux.CLONE_NEWCGROUP;

/** Makes the program. */
export function enterProgram(world: LaunchWorld, entrance: Entrance): KernelProgram {
  const { spec, identity, command, keeper, first, groups, processLimit, state } = entrance;
  const program = new KernelProgram();
  const ends = [program.slot(), program.slot()] as const;
  const spare = program.slot();
  // Nobody in the container can look into us, or take hold of the file that we are, until we are one of its programs.
  program
    .attempt("close_range", REPORT, 0xffff_ffff, 0)
    .attempt(
      "openat",
      linux.AT_FDCWD,
      program.text(state),
      linux.O_WRONLY | linux.O_CREAT | linux.O_APPEND | linux.O_CLOEXEC,
      0o600,
    )
    .reportTo(REPORT);
  // This comes before we are hidden: from then on our own files of the kernel are root's.
  goFirst(program, spare);
  program
    .must("hide from the container", "prctl", linux.PR_SET_DUMPABLE, 0, 0, 0, 0);
  liveWithUs(program);
  joinGroups(program, groups, spare);
  ownOutput(program, world, identity);
  const what = "enter the container";
  program.must(what, "pidfd_open", first, 0).keep(spare);
  if (needsInner(world, identity)) {
    program
      .must(what, "pidfd_open", keeper, 0).keep(ends[0])
      .must(what, "setns", ends[0], linux.CLONE_NEWUSER);
  }
  program.must(what, "setns", spare, ALL);
  lifePipe(program, ends);
  program.fork(what, () => {
    keepLife(program, ends);
    liveWith(program, spare);
    const become = world.ids && identity;
    begin(program, { spec, command, become, isRoot: identity.user === 0, processLimit }, spare);
  });
  program
    .attempt("dup3", ends[1], LIFE, linux.O_CLOEXEC)
    .attempt("close_range", LIFE + 1, 0xffff_ffff, 0)
    .must(what, "wait4", -1, { addressOf: spare }, 0, 0)
    .exitAs(spare);
  return program;
}

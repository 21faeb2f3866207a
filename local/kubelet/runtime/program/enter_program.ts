/**
 * Generates the program that runs an additional command in a container. It is stored and started outside of the
 * container.
 */
import { KernelProgram } from "@tiphys/portable/elf";
import type { Identity } from "../container_plan.ts";
import type { ContainerSpec } from "../runtime.ts";
import {
  dropRightsAndStart,
  endWithStarter,
  LIFE,
  lifePipe,
  moveLifePipe,
  preferForOomKill,
  REPORT,
} from "./begin_calls.ts";
import * as linux from "./kernel_words.ts";
import {
  changeOutputOwner,
  endWithTiphys,
  joinGroups,
  type LaunchWorld,
  needsInnerNamespace,
} from "./launch_program.ts";

/** The container to enter, and the command to run. */
export interface Entrance {
  readonly spec: ContainerSpec;
  readonly identity: Identity;
  readonly command: readonly string[];
  /** The PIDs on this machine of the container's keeper and first process. */
  readonly keeper: number;
  readonly first: number;
  readonly groups: readonly string[];
  readonly processLimit: number | undefined;
  /** The file into which a failed step is written. */
  readonly state: string;
}

const ALL = linux.CLONE_NEWUSER | linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS |
  linux.CLONE_NEWCGROUP;

/** Generates the program. */
export function enterProgram(world: LaunchWorld, entrance: Entrance): KernelProgram {
  const { spec, identity, command, keeper, first, groups, processLimit, state } = entrance;
  const program = new KernelProgram();
  const ends = [program.slot(), program.slot()] as const;
  const spare = program.slot();
  // Until this process runs a program of the container, processes in the container must not inspect it or open its
  // file.
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
  // Must come before the process becomes undumpable: afterwards its files in /proc belong to root.
  preferForOomKill(program, spare);
  program
    .must("hide from the container", "prctl", linux.PR_SET_DUMPABLE, 0, 0, 0, 0);
  endWithTiphys(program);
  joinGroups(program, groups, spare);
  changeOutputOwner(program, world, identity);
  const what = "enter the container";
  program.must(what, "pidfd_open", first, 0).keep(spare);
  if (needsInnerNamespace(world, identity)) {
    program
      .must(what, "pidfd_open", keeper, 0).keep(ends[0])
      .must(what, "setns", ends[0], linux.CLONE_NEWUSER);
  }
  program.must(what, "setns", spare, ALL);
  lifePipe(program, ends);
  program.fork(what, () => {
    moveLifePipe(program, ends);
    endWithStarter(program, spare);
    const become = world.ids && identity;
    dropRightsAndStart(program, { spec, command, become, isRoot: identity.user === 0, processLimit }, spare);
  });
  program
    .attempt("dup3", ends[1], LIFE, linux.O_CLOEXEC)
    .attempt("close_range", LIFE + 1, 0xffff_ffff, 0)
    .must(what, "wait4", -1, { addressOf: spare }, 0, 0)
    .exitAs(spare);
  return program;
}

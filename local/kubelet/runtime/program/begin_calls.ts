/**
 * The last steps into a container, the same for its first process and for those that are started beside it: rights are given
 * up for good, the user is become, the folder is entered, and the program is started. All that is opened or started here is
 * looked up within the container's root, with the rights of its user.
 */
import type { KernelProgram, Slot } from "@tiphys/portable/elf";
import { callFilter } from "../call_filter.ts";
import { GRANTED_CAPABILITIES, WITHHELD_CAPABILITIES } from "../capabilities.ts";
import type { Identity } from "../container_plan.ts";
import type { ContainerSpec } from "../runtime.ts";
import { SEARCH_PATH } from "../search_path.ts";
import type { CallProcessor } from "../system_calls.ts";
import * as linux from "./kernel_words.ts";

/**
 * The reports of a program: the first process's number; the container's program is about to start; that program is not
 * there.
 */
export const PROCESS = 2;
export const REACHED = 3;
export const MISSING = 4;

/**
 * The descriptors for the last steps: one for reports, and the end of a pipe that says whether the process is still
 * wanted.
 */
export const REPORT = 3;
export const LIFE = 4;

const NOT_STARTED = 127;
const HOW_BYTES = 24;
const RULESET_BYTES = 24;
/** The highest there is: as kubelets have it for pods that ask for no memory. */
const MOST_LIKELY = "1000";
/** Core files are not written, not even by a program that the machine hands them to: one byte means none to the kernel. */
const NO_CORE = 1;

/** The command of a process, and the identity and limits that it begins with. */
export interface Beginning {
  readonly spec: ContainerSpec;
  readonly command: readonly string[];
  /** The identity that it takes on; undefined when it has it already, as far as it can. */
  readonly become: Identity | undefined;
  /** Whether the process has the capabilities of the container's root: those of its user 0. */
  readonly isRoot: boolean;
  /** The number of processes that each user of the container may have, where no control group counts them. */
  readonly processLimit: number | undefined;
}

/** Ends the process with its starter, also when that has ended already: the death signal tells of later deaths only. */
export function liveWith(program: KernelProgram, byte: Slot): void {
  program.must("end with the launcher", "prctl", linux.PR_SET_PDEATHSIG, linux.SIGKILL)
    .attempt("read", LIFE, { addressOf: byte }, 1)
    .when(0, () => program.exit(NOT_STARTED));
}

/** A pipe of which the process that starts the container holds one end: the other has an end when that process has. */
export function lifePipe(program: KernelProgram, ends: readonly [Slot, Slot]): void {
  program.must("make a pipe", "pipe2", { addressOf: ends[0] }, linux.O_CLOEXEC | linux.O_NONBLOCK);
}

/** Keeps the reading end of the pipe, at its place; `begin` closes everything above, so that no way leads out. */
export function keepLife(program: KernelProgram, [read, write]: readonly [Slot, Slot]): void {
  program.attempt("close", write).attempt("dup3", read, LIFE, linux.O_CLOEXEC);
}

/** Adds the calls with which a process gives up its rights and then starts `command`. */
export function begin(program: KernelProgram, beginning: Beginning, byte: Slot): void {
  const { spec, command, become, isRoot, processLimit } = beginning;
  const what = "give up rights";
  program.must("close what was open", "close_range", LIFE + 1, 0xffff_ffff, 0).attempt("umask", 0o022);
  keepToOwnSockets(program, byte);
  limit(program, linux.RLIMIT_CORE, NO_CORE);
  program.unless(0, () => limit(program, linux.RLIMIT_CORE, 0));
  if (processLimit !== undefined) limit(program, linux.RLIMIT_NPROC, processLimit);
  if (spec.noNewPrivileges) program.must(what, "prctl", linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const filter = callFilter(Deno.build.arch as CallProcessor);
  const code = program.words([filter.length / 8, program.bytes(filter)]);
  program.must(what, "seccomp", linux.SECCOMP_SET_MODE_FILTER, 0, code);
  // A capability that this kernel does not know cannot be had either.
  for (const capability of WITHHELD_CAPABILITIES) program.attempt("prctl", linux.PR_CAPBSET_DROP, capability, 0, 0, 0);
  if (become) {
    program
      .must("become the user", "setgroups", become.groups.length, program.numbers(become.groups))
      .must("become the user", "setgid", become.group)
      .must("become the user", "setuid", become.user);
  }
  const granted = isRoot ? GRANTED_CAPABILITIES : [];
  const half = (from: number) =>
    granted.filter((number) => number >= from && number < from + 32).reduce(
      (sum, number) => sum + 2 ** (number - from),
      0,
    );
  const header = program.numbers([linux.CAPABILITY_VERSION_3, 0]);
  // The granted capabilities are effective and permitted; none is to be inherited.
  program.must(what, "capset", header, program.numbers([half(0), half(0), 0, half(32), half(32), 0]));
  // A change of the user takes the death signal away.
  liveWith(program, byte);
  const how = program.words([
    linux.O_PATH | linux.O_DIRECTORY | linux.O_CLOEXEC,
    0,
    linux.RESOLVE_NO_MAGICLINKS,
  ]);
  const folder = spec.workingDir || "/";
  program
    .must(`enter the folder ${folder}`, "openat2", linux.AT_FDCWD, program.text(folder), how, HOW_BYTES).keep(byte)
    .must(`enter the folder ${folder}`, "fchdir", byte)
    .attempt("close", byte)
    .tell(REACHED);
  const args = program.list(command);
  const env = program.list([...spec.env].map(([name, value]) => `${name}=${value}`));
  for (const candidate of candidatesOf(spec, command)) program.attempt("execve", program.text(candidate), args, env);
  program.tell(MISSING).exit(NOT_STARTED);
}

/**
 * The network is the machine's, and so are its abstract sockets, some of which let in whoever has their user's number: a
 * display, a bus of messages. From Linux 6.12 on nobody reaches those of others; before, the call is refused.
 *
 * The price: Landlock lets a process look into another (`/proc/PID/root`, `/proc/PID/fd`, ptrace) only where that is in its
 * own domain or in one below. A command that is run beside the first process of a container has a domain of its own, and one
 * can only be born into that of another. Both would have to be children of one process of the container that is in it.
 */
function keepToOwnSockets(program: KernelProgram, spare: Slot): void {
  const restricted = program.words([0, 0, linux.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET]);
  program.attempt("landlock_create_ruleset", restricted, RULESET_BYTES, 0).keep(spare)
    .attempt("landlock_restrict_self", spare, 0)
    .attempt("close", spare);
}

/** Lets the kernel end containers first when memory is short; they cannot take that back where we are root. */
export function goFirst(program: KernelProgram, spare: Slot): void {
  program
    .attempt("openat", linux.AT_FDCWD, program.text("/proc/self/oom_score_adj"), linux.O_WRONLY | linux.O_CLOEXEC)
    .keep(spare)
    .attempt("write", spare, program.text(MOST_LIKELY), MOST_LIKELY.length)
    .attempt("close", spare);
}

function limit(program: KernelProgram, resource: number, value: number): void {
  program.attempt("prlimit64", 0, resource, program.words([value, value]), 0);
}

/** The paths at which the program may be; the first that can be started is. */
function candidatesOf({ env }: ContainerSpec, [program = ""]: readonly string[]): string[] {
  if (program.includes("/")) return [program];
  return (env.get("PATH") ?? SEARCH_PATH).split(":").map((place) => `${place || "."}/${program}`);
}

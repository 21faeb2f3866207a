/**
 * The last steps into a container, for its first process and for additional commands: permanently drop rights, switch
 * to the user, enter the working directory, and start the program. All paths are resolved within the container's root,
 * with the rights of its user.
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
 * The reports of a program: the first process's PID; the container's program is about to start; the program does not
 * exist.
 */
export const PROCESS = 2;
export const REACHED = 3;
export const MISSING = 4;

/**
 * The file descriptors during the last steps: one for reports, and the end of a pipe that shows whether the process is
 * still needed.
 */
export const REPORT = 3;
export const LIFE = 4;

const NOT_STARTED = 127;
const HOW_BYTES = 24;
const RULESET_BYTES = 24;
/** The highest OOM score, as kubelets set it for pods without a memory request. */
const MAX_OOM_SCORE = "1000";
/** A core size limit of one byte disables core dumps, including those that are piped to a program of the machine. */
const NO_CORE = 1;

/** The command of a process, with its identity and limits. */
export interface Beginning {
  readonly spec: ContainerSpec;
  readonly command: readonly string[];
  /** The identity to switch to; undefined if the process already has it, as far as possible. */
  readonly become: Identity | undefined;
  /** Whether the process has the capabilities of user 0 in the container. */
  readonly isRoot: boolean;
  /** The maximum number of processes of each user in the container, if no control group limits them. */
  readonly processLimit: number | undefined;
}

/**
 * Ends the process with its starter, even if that has already ended: the death signal is only sent for later deaths.
 */
export function endWithStarter(program: KernelProgram, byte: Slot): void {
  program.must("end with the launcher", "prctl", linux.PR_SET_PDEATHSIG, linux.SIGKILL)
    .attempt("read", LIFE, { addressOf: byte }, 1)
    .when(0, () => program.exit(NOT_STARTED));
}

/**
 * Creates a pipe. The starter of the container holds one end, so the other end is closed when the starter has ended.
 */
export function lifePipe(program: KernelProgram, ends: readonly [Slot, Slot]): void {
  program.must("make a pipe", "pipe2", { addressOf: ends[0] }, linux.O_CLOEXEC | linux.O_NONBLOCK);
}

/**
 * Moves the read end of the pipe to its fixed number. `dropRightsAndStart` closes all higher descriptors, so that none
 * leaks.
 */
export function moveLifePipe(program: KernelProgram, [read, write]: readonly [Slot, Slot]): void {
  program.attempt("close", write).attempt("dup3", read, LIFE, linux.O_CLOEXEC);
}

/** Adds the calls with which a process drops its rights and starts `command`. */
export function dropRightsAndStart(program: KernelProgram, beginning: Beginning, byte: Slot): void {
  const { spec, command, become, isRoot, processLimit } = beginning;
  const what = "drop capabilities";
  program.must("close inherited descriptors", "close_range", LIFE + 1, 0xffff_ffff, 0).attempt("umask", 0o022);
  restrictSockets(program, byte);
  setLimit(program, linux.RLIMIT_CORE, NO_CORE);
  program.unless(0, () => setLimit(program, linux.RLIMIT_CORE, 0));
  if (processLimit !== undefined) setLimit(program, linux.RLIMIT_NPROC, processLimit);
  if (spec.noNewPrivileges) program.must(what, "prctl", linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const filter = callFilter(Deno.build.arch as CallProcessor);
  const code = program.words([filter.length / 8, program.bytes(filter)]);
  program.must(what, "seccomp", linux.SECCOMP_SET_MODE_FILTER, 0, code);
  // Capabilities that this kernel does not know cannot be granted either.
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
  // The granted capabilities are effective and permitted, and none is inheritable.
  program.must(what, "capset", header, program.numbers([half(0), half(0), 0, half(32), half(32), 0]));
  // Changing the user resets the death signal.
  endWithStarter(program, byte);
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
    .report(REACHED);
  const args = program.list(command);
  const env = program.list([...spec.env].map(([name, value]) => `${name}=${value}`));
  for (const candidate of programCandidates(spec, command)) {
    program.attempt("execve", program.text(candidate), args, env);
  }
  program.report(MISSING).exit(NOT_STARTED);
}

/**
 * Containers share the machine's network, and so its abstract sockets, some of which admit any process of their user:
 * displays and message buses. Linux 6.12 and later can block those of other processes; earlier versions refuse the
 * call.
 *
 * The drawback: Landlock lets a process inspect another one (`/proc/PID/root`, `/proc/PID/fd`, ptrace) only in its own
 * domain or one below. An additional command of a container has a separate domain, since a process can only be created
 * within a domain, not join it. Both would have to be children of one process of the container in the same domain.
 */
function restrictSockets(program: KernelProgram, spare: Slot): void {
  const restricted = program.words([0, 0, linux.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET]);
  program.attempt("landlock_create_ruleset", restricted, RULESET_BYTES, 0).keep(spare)
    .attempt("landlock_restrict_self", spare, 0)
    .attempt("close", spare);
}

/** Lets the kernel kill containers first if memory is short. If this process is root, containers cannot undo it. */
export function preferForOomKill(program: KernelProgram, spare: Slot): void {
  program
    .attempt("openat", linux.AT_FDCWD, program.text("/proc/self/oom_score_adj"), linux.O_WRONLY | linux.O_CLOEXEC)
    .keep(spare)
    .attempt("write", spare, program.text(MAX_OOM_SCORE), MAX_OOM_SCORE.length)
    .attempt("close", spare);
}

function setLimit(program: KernelProgram, resource: number, value: number): void {
  program.attempt("prlimit64", 0, resource, program.words([value, value]), 0);
}

/** The possible paths of the program, tried in order. */
function programCandidates({ env }: ContainerSpec, [program = ""]: readonly string[]): string[] {
  if (program.includes("/")) return [program];
  return (env.get("PATH") ?? SEARCH_PATH).split(":").map((place) => `${place || "."}/${program}`);
}

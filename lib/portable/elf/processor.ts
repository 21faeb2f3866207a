/** The instructions that programs need of a processor, whichever it is: each processor has a file of its own. */

/** The calls of Linux that are made. */
export type CallName =
  | "capset"
  | "chdir"
  | "clone"
  | "close"
  | "close_range"
  | "dup3"
  | "execve"
  | "exit"
  | "fchdir"
  | "fchown"
  | "fchownat"
  | "fcntl"
  | "fsconfig"
  | "fsmount"
  | "fsopen"
  | "getppid"
  | "landlock_create_ruleset"
  | "landlock_restrict_self"
  | "mkdirat"
  | "mknodat"
  | "mount_setattr"
  | "move_mount"
  | "open_tree"
  | "openat"
  | "openat2"
  | "pidfd_open"
  | "pidfd_send_signal"
  | "pipe2"
  | "pivot_root"
  | "ppoll"
  | "prctl"
  | "prlimit64"
  | "read"
  | "seccomp"
  | "setgid"
  | "setgroups"
  | "sethostname"
  | "setns"
  | "setsid"
  | "setuid"
  | "symlinkat"
  | "umask"
  | "umount2"
  | "unshare"
  | "wait4"
  | "write";

/** Four bytes of a program's own, by their number: what a call answered, to be an argument of later ones. */
export interface Slot {
  readonly slot: number;
}

/** The address of a slot, as an argument of calls that write into the slot. */
export interface SlotAddress {
  readonly addressOf: Slot;
}

/** The number of slots: as many as the shortest instruction of all processors can reach. */
export const SLOTS = 64;

/** An argument of a call: 32 bits, the rest is zero. */
export type MachineArgument = number | Slot | SlotAddress;

/** Code for one kind of processor. Its length does not depend on the numbers in it. Every answer is an integer of 32 bits. */
export interface Processor {
  /** The number of the processor in ELF. */
  readonly machine: number;
  /** Calls the kernel, with six arguments at most; a call without a name here by its number. */
  call(name: CallName | number, args: readonly MachineArgument[]): number[];
  /** Keeps what the last call answered. */
  keep(slot: Slot): number[];
  /** Puts a number into a slot. */
  set(slot: Slot, value: number): number[];
  /** Says which step comes now. */
  mark(step: number): number[];
  /** Puts the step that was said last into a slot. */
  keepMark(slot: Slot): number[];
  /** Leaves out so many bytes of code that follow when the last call failed. */
  skipUnlessDone(bytes: number): number[];
  /** Leaves out so many bytes of code that follow when the last call answered this, or when it did not. */
  skipWhen(isEqual: boolean, value: number, bytes: number): number[];
  /** Ends with the code that a shell would tell of a status which `wait4` left in a slot. */
  exitAs(status: Slot): number[];
  /**
   * Puts a new argument list and environment together on the stack, last word first, and calls execve; goes on when that
   * fails. The kernel leaves there: argc, argv[0..], 0, envp[0..], 0.
   */
  launch(addresses: LaunchAddresses): number[];
}

/** The addresses of the texts of a launch: see {@link Launch}. */
export interface LaunchAddresses {
  readonly program: number;
  readonly variables: readonly number[];
  readonly args: readonly number[];
}

/** The distance of a slot from the stack pointer, which nothing moves: below it, where nobody else writes. */
export function slotOffset({ slot }: Slot): number {
  return 4 * (slot - SLOTS);
}

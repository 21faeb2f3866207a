/** The instructions that programs need, as an interface that each processor implements in its own file. */

/** The system calls of Linux that are used. */
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

/** Four bytes of memory, by number: the result of a call, which can be an argument of later ones. */
export interface Slot {
  readonly slot: number;
}

/** The address of a slot, as an argument of calls that write to the slot. */
export interface SlotAddress {
  readonly addressOf: Slot;
}

/** The number of slots, which the shortest instructions of all processors can address. */
export const SLOTS = 64;

/** An argument of a call: 32 bits; the upper bits are zero. */
export type MachineArgument = number | Slot | SlotAddress;

/**
 * The code generator for a processor. The length of code does not depend on the numbers in it. Every result is a 32-bit
 * integer.
 */
export interface Processor {
  /** The number of the processor in ELF. */
  readonly machine: number;
  /** Makes a system call with up to six arguments; a call without a name here is given by its number. */
  call(name: CallName | number, args: readonly MachineArgument[]): number[];
  /** Stores the result of the last call. */
  keep(slot: Slot): number[];
  /** Stores a number in a slot. */
  set(slot: Slot, value: number): number[];
  /** Sets the current step. */
  mark(step: number): number[];
  /** Stores the current step in a slot. */
  keepMark(slot: Slot): number[];
  /** Skips this number of code bytes if the last call failed. */
  skipUnlessDone(bytes: number): number[];
  /** Skips this number of code bytes if the last result is this value, or if it is not. */
  skipWhen(isEqual: boolean, value: number, bytes: number): number[];
  /** Exits with the code that a shell would return for a status that `wait4` stored in a slot. */
  exitAs(status: Slot): number[];
  /**
   * Builds a new argument list and environment on the stack, last word first, and calls execve; continues if that
   * fails. At the start the kernel leaves on the stack: argc, argv[0..], 0, envp[0..], 0.
   */
  launch(addresses: LaunchAddresses): number[];
}

/** The addresses of the texts of a launch: see {@link Launch}. */
export interface LaunchAddresses {
  readonly program: number;
  readonly variables: readonly number[];
  readonly args: readonly number[];
}

/** The offset of a slot from the stack pointer, which is constant. Slots are below it, where nothing else writes. */
export function slotOffset({ slot }: Slot): number {
  return 4 * (slot - SLOTS);
}

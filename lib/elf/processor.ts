/** What a processor must be told to do, whichever it is: each has a file of its own. */

/** The calls of Linux that are made. */
export type CallName =
  | "write"
  | "execve"
  | "exit"
  | "fcntl"
  | "chdir"
  | "setuid"
  | "setgid"
  | "setgroups"
  | "prctl"
  | "umount2"
  | "openat"
  | "unshare";

/** What the call before answered, as the first argument of another. */
export const ANSWER = "answer";

/** Code for one kind of processor. Its length does not depend on the numbers in it. */
export interface Processor {
  /** As ELF numbers them. */
  readonly machine: number;
  /** Calls the kernel. */
  call(name: CallName, args: readonly (number | typeof ANSWER)[]): number[];
  /** Leaves out so many bytes of code that follow when the last call failed. */
  skipUnlessDone(bytes: number): number[];
  /**
   * Puts a new argument list and environment together on the stack, last word first, and calls execve; goes on when that
   * fails. The kernel leaves there: argc, argv[0..], 0, envp[0..], 0.
   */
  launch(addresses: LaunchAddresses): number[];
}

/** Where the texts of a launch lie: see {@link Launch}. */
export interface LaunchAddresses {
  readonly program: number;
  readonly variables: readonly number[];
  readonly args: readonly number[];
}

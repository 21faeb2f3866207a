/** The common form of a started command, with pipes or with a terminal. */
import { describeError, ExecutorError } from "../failure.ts";

/** A command that was started. */
export interface StartedCommand {
  readonly pid: number;
  /** Its exit code; 128 + n when signal n ended it. */
  readonly exit: Promise<number>;
  /**
   * Its output, unless it inherits the output of this process. With a terminal, `stderr` is undefined, because both
   * streams are one.
   */
  readonly stdout?: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly stderr?: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Ends `stdout` of a terminal after the output that is already available. */
  endOutput?(): void;
  /** Resizes its own terminal, if any, to the size of the container's. */
  resize?(): void;
}

/** The error for a program that could not be started. */
export function startError(program: string, error: unknown): ExecutorError {
  return new ExecutorError(`failed to start "${program}": ${describeError(error)}`, { stage: "command", cause: error });
}

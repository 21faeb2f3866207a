/** A command that was started, with pipes or with a terminal. */
import { describe, ExecutorError } from "../failure.ts";

/** A command that was started. */
export interface Started {
  readonly pid: number;
  /** Its exit code; 128 + n when signal n ended it. */
  readonly exit: Promise<number>;
  /** The stream that it prints to, where that is not simply our own output. A terminal has no stream for errors. */
  readonly stdout?: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly stderr?: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Makes its terminal, if it has one of its own, as large as the container's. */
  resize?(): void;
}

/** The failure of a program that does not run, with the reason. */
export function notStarted(program: string, error: unknown): ExecutorError {
  return new ExecutorError(`failed to start "${program}": ${describe(error)}`, { stage: "command", cause: error });
}

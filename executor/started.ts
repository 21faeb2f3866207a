/** What the two ways to start a command come to, with pipes or with a terminal. */
import { describe, ExecutorError } from "./failure.ts";

/** A command that was started. */
export interface Started {
  readonly pid: number;
  /** Its exit code; 128 + n when signal n ended it. */
  readonly exit: Promise<number>;
  /** What it prints, where that is not simply our own output. A terminal has no stream for errors. */
  readonly stdout?: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly stderr?: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Makes its terminal, if it has one of its own, as large as the container's. */
  resize?(): void;
}

/** Why a program does not run. */
export function notStarted(program: string, error: unknown): ExecutorError {
  return new ExecutorError(`failed to start "${program}": ${describe(error)}`, { stage: "command", cause: error });
}

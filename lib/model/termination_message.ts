/**
 * The message that a container of ours leaves for the kubelet when the fault is not the command's: one line of JSON, so
 * that the controller need not guess from a text or an exit code, which a user's command may use as well.
 */

/** The part of a pod's life in which something went wrong. */
export type Stage =
  /** Main waits for the supervisor's word. */
  | "wait"
  /** Inputs are brought into the pod. */
  | "inputs"
  /** Inputs are put where main looks for them. */
  | "link"
  /** The command is looked up and started. */
  | "command"
  /** The outputs of main are saved. */
  | "outputs"
  /** The controller is told. */
  | "report"
  /** The time is over. */
  | "deadline";

/** The stage at which a container failed, and the cause. */
export interface TerminationMessage {
  readonly stage: Stage;
  readonly artifact?: string;
  readonly cause: string;
}

/** The kubelet reads no more. */
const MAX_BYTES = 4096;

/** The line for the kubelet; a long cause loses its end. */
export function formatTerminationMessage({ stage, artifact, cause }: TerminationMessage): string {
  const line = (text: string) =>
    JSON.stringify({ stage, ...(artifact === undefined ? {} : { artifact }), cause: text });
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  let kept = cause;
  for (let excess = bytes(line(kept)) - MAX_BYTES; excess > 0; excess = bytes(line(kept)) - MAX_BYTES) {
    kept = kept.slice(0, Math.max(0, kept.length - Math.ceil(excess / 4)));
  }
  return line(kept);
}

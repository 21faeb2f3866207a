/**
 * The message that a failing Argo container leaves for the kubelet when the command itself is not at fault: one line of
 * JSON, so that the controller need not guess from a text or exit code, which a user's command may use as well.
 */

/** The stage of a pod's life that failed. */
export type Stage =
  /** Main waits for the supervisor. */
  | "wait"
  /** Inputs are loaded into the pod. */
  | "inputs"
  /** Inputs are linked to their paths in main. */
  | "link"
  /** The command is resolved and started. */
  | "command"
  /** The outputs of main are saved. */
  | "outputs"
  /** The results are reported to the controller. */
  | "report"
  /** The deadline was exceeded. */
  | "deadline";

/** The stage at which a container failed, and the cause. */
export interface TerminationMessage {
  readonly stage: Stage;
  readonly artifact?: string;
  readonly cause: string;
}

/** The kubelet truncates longer messages. */
const MAX_BYTES = 4096;

/** Formats the line for the kubelet; a long cause is truncated. */
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

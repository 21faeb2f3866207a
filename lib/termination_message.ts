/**
 * The message that a container of ours leaves for the kubelet when the fault is not the command's: one line of JSON, so
 * that the controller need not guess from a text or an exit code, which a user's command may use as well.
 */
import { fieldsOfJson, textsIn } from "./fields_of.ts";

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

/** Stages after which the user's command certainly never ran. */
const BEFORE_COMMAND: ReadonlySet<Stage> = new Set<Stage>(["wait", "link"]);

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

/** Reads such a line; undefined for anything else, which a user's command may have written. */
export function parseTerminationMessage(text: string | undefined): TerminationMessage | undefined {
  if (!text?.startsWith('{"stage":"')) return undefined;
  const { stage, ...rest } = textsIn(fieldsOfJson(text), ["stage", "artifact", "cause"]);
  const { cause } = rest;
  if (stage === undefined || cause === undefined) return undefined;
  // An executor that is newer than this program may know a stage more: its cause can be told all the same.
  return { ...rest, stage: stage as Stage, cause };
}

/** Whether a container of the user says by its message that its command was never started. */
export function saysNeverStarted(text: string | undefined): boolean {
  const message = parseTerminationMessage(text);
  return message !== undefined && BEFORE_COMMAND.has(message.stage);
}

/** Parses termination messages. Separate from the writer, since the executor loads only that at its start. */
import { textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import type { Stage, TerminationMessage } from "./termination_message.ts";

/** Stages that precede the user's command. */
const BEFORE_COMMAND: ReadonlySet<Stage> = new Set<Stage>(["wait", "link"]);

/** Parses the message of an Argo container; undefined for any other text, such as that of a user's command. */
export function parseTerminationMessage(text: string | undefined): TerminationMessage | undefined {
  if (!text?.startsWith('{"stage":"')) return undefined;
  const { stage, ...rest } = textsIn(fieldsOfJson(text), ["stage", "artifact", "cause"]);
  const { cause } = rest;
  if (stage === undefined || cause === undefined) return undefined;
  // An executor of a newer version may report an unknown stage; its cause is reported nevertheless.
  return { ...rest, stage: stage as Stage, cause };
}

/** Whether the message of a user's container means that its command was never started. */
export function isNeverStarted(text: string | undefined): boolean {
  const message = parseTerminationMessage(text);
  return message !== undefined && BEFORE_COMMAND.has(message.stage);
}

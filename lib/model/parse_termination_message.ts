/** The reader of termination messages, apart from their writer: the executor writes them and needs no parser at its start. */
import { textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import type { Stage, TerminationMessage } from "./termination_message.ts";

/** Stages after which the user's command certainly never ran. */
const BEFORE_COMMAND: ReadonlySet<Stage> = new Set<Stage>(["wait", "link"]);

/** Parses the line of a container of ours; undefined for anything else, which a user's command may have written. */
export function parseTerminationMessage(text: string | undefined): TerminationMessage | undefined {
  if (!text?.startsWith('{"stage":"')) return undefined;
  const { stage, ...rest } = textsIn(fieldsOfJson(text), ["stage", "artifact", "cause"]);
  const { cause } = rest;
  if (stage === undefined || cause === undefined) return undefined;
  // A newer executor may have a stage that this program does not know: its cause is reported anyway.
  return { ...rest, stage: stage as Stage, cause };
}

/** Whether the message of a user's container means that its command was never started. */
export function saysNeverStarted(text: string | undefined): boolean {
  const message = parseTerminationMessage(text);
  return message !== undefined && BEFORE_COMMAND.has(message.stage);
}

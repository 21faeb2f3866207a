/** The person who changes a workflow through a server: told by labels, and by the message of nodes that are resumed. */
import { LABEL } from "../constants.ts";

/** A person, as far as the server knows: the claims of a token. */
export interface Actor {
  readonly subject?: string | undefined;
  readonly email?: string | undefined;
  readonly preferredUsername?: string | undefined;
}

/** The action on a workflow, as its label names it. */
export type ActorAction = "Update" | "Suspend" | "Stop" | "Terminate" | "Resume" | "Retry";

/**
 * The labels that name an actor and what was done, if that has a name; null for those that are to be removed, all of them
 * without an actor.
 */
export function actorLabels(action: ActorAction | undefined, actor: Actor | undefined): Record<string, string | null> {
  return {
    [LABEL.actor]: actor?.subject ? labelSafe(actor.subject) : null,
    [LABEL.actorEmail]: actor?.email ? labelSafe(actor.email.replace("@", ".at.")) : null,
    [LABEL.actorPreferredUsername]: actor?.preferredUsername ? labelSafe(actor.preferredUsername) : null,
    [LABEL.action]: actor && action || null,
  };
}

/** An object with the labels of the person who changed it now, in place of those of the one before. */
export function withActor<T extends { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }>(
  object: T,
  action: ActorAction | undefined,
  actor: Actor | undefined,
): T {
  const labels = { ...object.metadata.labels };
  for (const [name, value] of Object.entries(actorLabels(action, actor))) {
    if (value === null) delete labels[name];
    else labels[name] = value;
  }
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** The person who resumed a node, in words: `Resumed by: map[Email:a@b User:c]`, the known claims by their names. */
export function resumedBy({ subject, email, preferredUsername }: Actor): string {
  const known = [["Email", email], ["PreferredUsername", preferredUsername], ["User", subject]].filter(([, value]) =>
    value
  );
  return `Resumed by: map[${known.map(([name, value]) => `${name}:${value}`).join(" ")}]`;
}

const LABEL_LENGTH = 63;

/** A text as the value of a label: other characters become `-`, of a long one the end is kept. */
export function labelSafe(text: string): string {
  const safe = text.replaceAll(/[^-_.a-z0-9A-Z]/g, "-").slice(-LABEL_LENGTH);
  const isEdge = (character: string | undefined) => character !== undefined && !/[a-z0-9A-Z]/.test(character);
  let start = 0;
  let end = safe.length;
  while (start < end && isEdge(safe[start])) start++;
  while (end > start && isEdge(safe[end - 1])) end--;
  return safe.slice(start, end);
}

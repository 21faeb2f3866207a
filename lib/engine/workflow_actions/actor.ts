/** The user who changes a workflow through a server, recorded in labels and in the message of resumed nodes. */
import { LABEL } from "@tiphys/base/constants";

/** A user, as known from the claims of a token. */
export interface Actor {
  readonly subject?: string | undefined;
  readonly email?: string | undefined;
  readonly preferredUsername?: string | undefined;
}

/** The action on a workflow, as named in its label. */
export type ActorAction = "Update" | "Suspend" | "Stop" | "Terminate" | "Resume" | "Retry";

/** Returns the labels that name an actor and the action. Null marks labels to remove; without an actor, all of them. */
export function actorLabels(action: ActorAction | undefined, actor: Actor | undefined): Record<string, string | null> {
  return {
    [LABEL.actor]: actor?.subject ? labelSafe(actor.subject) : null,
    [LABEL.actorEmail]: actor?.email ? labelSafe(actor.email.replace("@", ".at.")) : null,
    [LABEL.actorPreferredUsername]: actor?.preferredUsername ? labelSafe(actor.preferredUsername) : null,
    [LABEL.action]: actor && action || null,
  };
}

/** Returns an object with the labels of its current actor instead of those of the previous one. */
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

/** Describes the user who resumed a node: `Resumed by: map[Email:a@b User:c]`, with the known claims by name. */
export function resumedBy({ subject, email, preferredUsername }: Actor): string {
  const known = [["Email", email], ["PreferredUsername", preferredUsername], ["User", subject]].filter(([, value]) =>
    value
  );
  return `Resumed by: map[${known.map(([name, value]) => `${name}:${value}`).join(" ")}]`;
}

const LABEL_LENGTH = 63;

/** Converts a text to a label value: invalid characters become `-`, and a long text keeps its end. */
export function labelSafe(text: string): string {
  const safe = text.replaceAll(/[^-_.a-z0-9A-Z]/g, "-").slice(-LABEL_LENGTH);
  const isEdge = (character: string | undefined) => character !== undefined && !/[a-z0-9A-Z]/.test(character);
  let start = 0;
  let end = safe.length;
  while (start < end && isEdge(safe[start])) start++;
  while (end > start && isEdge(safe[end - 1])) end--;
  return safe.slice(start, end);
}

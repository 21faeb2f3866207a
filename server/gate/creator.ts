/** Labels that identify the creator of an object. */
import { LABEL } from "@tiphys/base/constants";
import { labelSafe } from "@tiphys/engine/workflow_actions";
import type { Claims } from "./caller.ts";

function emailValue(email: string): string {
  return labelSafe(email.replace("@", ".at."));
}

type Labels = Readonly<Record<string, string>>;

/**
 * Returns labels with those of the creator. Existing creator labels are replaced or removed, so that a caller cannot
 * claim another identity.
 */
export function withCreator(labels: Labels | undefined, { subject, email, preferredUsername }: Claims): Labels {
  return withPerson(labels, {
    [LABEL.creator]: labelSafe(subject),
    [LABEL.creatorEmail]: email && emailValue(email),
    [LABEL.creatorPreferredUsername]: preferredUsername && labelSafe(preferredUsername),
  });
}

function withPerson(labels: Labels | undefined, own: Readonly<Record<string, string | null | undefined>>): Labels {
  const all: Record<string, string> = { ...labels };
  for (const [name, value] of Object.entries(own)) {
    if (value) all[name] = value;
    else delete all[name];
  }
  return all;
}

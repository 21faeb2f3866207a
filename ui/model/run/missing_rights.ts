/** Describes rights that a user lacks for actions on a run. */
import type { MissingRight, MissingRightsByAction } from "../../api/source.ts";
import * as words from "../text/en/missing_rights.ts";

/** Describes a right as in RBAC rules: `patch workflows.argoproj.io`. */
export function rightText({ verb, group, resource }: MissingRight): string {
  return `${verb} ${group === "" ? resource : `${resource}.${group}`}`;
}

/** Describes the rights that a user lacks for an action; undefined if the action is allowed, as far as known. */
export function missingRightsText(lacks: MissingRightsByAction, action: string): string | undefined {
  const missing = lacks[action] ?? [];
  return missing.length === 0 ? undefined : words.missingRights(missing.map(rightText));
}

/** Describes the missing rights of each offered action, by the text of its button. */
export function missingRightsTexts(
  lacks: MissingRightsByAction,
  offered: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(offered).map(([action, word]) => [word, missingRightsText(lacks, action)]));
}

/** Returns a line for each set of missing rights, with the buttons that it disables. */
export function missingRightsLines(texts: Readonly<Record<string, string | undefined>>): string[] {
  const lines = new Map<string, string[]>();
  for (const [word, text] of Object.entries(texts)) {
    if (text !== undefined) lines.set(text, [...lines.get(text) ?? [], word]);
  }
  return [...lines].map(([text, buttons]) => words.missingRightsOfButtons(buttons, text));
}

/** The rights that somebody lacks for what can be done to a run, in words. */
import type { Lacks, MissingRight } from "../../api/source.ts";
import * as words from "../text/en/lacks.ts";

/** The right in words, as rules of a role name it: `patch workflows.argoproj.io`. */
export function rightText({ verb, group, resource }: MissingRight): string {
  return `${verb} ${group === "" ? resource : `${resource}.${group}`}`;
}

/** The rights in words that somebody lacks for an action; undefined where they may do it, as far as is known. */
export function lackText(lacks: Lacks, action: string): string | undefined {
  const missing = lacks[action] ?? [];
  return missing.length === 0 ? undefined : words.lacking(missing.map(rightText));
}

/** The rights in words that somebody lacks for the actions that are offered, by the words of their buttons. */
export function lackTexts(lacks: Lacks, offered: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(offered).map(([action, word]) => [word, lackText(lacks, action)]));
}

/** A line for each lack, with the words of the buttons that it keeps off. */
export function lackLines(texts: Readonly<Record<string, string | undefined>>): string[] {
  const lines = new Map<string, string[]>();
  for (const [word, text] of Object.entries(texts)) {
    if (text !== undefined) lines.set(text, [...lines.get(text) ?? [], word]);
  }
  return [...lines].map(([text, buttons]) => words.lackingFor(buttons, text));
}

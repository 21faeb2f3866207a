/** Finds the tags that nothing will resolve. */
import { didYouMean, type PathSegments } from "@tiphys/model/api";
import { quoteJson, trimSpace } from "@tiphys/base/go";
import { findTags, isClosed } from "../template/tags.ts";
import type { Place, Report } from "./report.ts";
import { isResolved, type Scope } from "./scope.ts";
import { visitTexts } from "./texts.ts";

/** The beginnings of tags that are ours to judge; `{{anything.else}}` may be meant for another tool. */
const ROOTS = ["item.", "steps.", "tasks.", "inputs.", "outputs.", "pod.", "workflow."];

/** A tag that cannot be resolved. */
export interface UnresolvedTag {
  /** The text between the braces. */
  readonly tag: string;
  /** Whether it has closing braces; without them, the tag is the rest of the text. */
  readonly isClosed: boolean;
}

/** Reports every tag in the texts of a value that the scope cannot resolve, each at its own place. */
export function checkTags(report: Report, value: unknown, scope: Scope, place: Place, ...field: PathSegments): void {
  visitTexts(value, field, (text, at) => {
    if (!text.includes("{{")) return;
    // Tags are found in what JSON makes of a text: a line break at the edge of a name is two characters of the name.
    for (const { tag, isClosed } of unresolvedTags(quoteJson(text).slice(1, -1), scope)) {
      const problem = isClosed
        ? `failed to resolve {{${tag}}}${didYouMean(tag.trim(), scope.names())}`
        : `failed to resolve {{${tag}; the tag is not closed`;
      report.add(place.at(...at), `${place.name} ${problem}`);
    }
  });
}

/** The tags of a text that the scope cannot resolve. Expressions are not looked at. */
export function unresolvedTags(text: string, scope: Scope): UnresolvedTag[] {
  if (!text.includes("{{")) return [];
  const isWhole = isClosed(text);
  const { tags } = findTags(isWhole ? text : `${text}}}`);
  return tags.map((tag, index) => ({ tag, isClosed: isWhole || index < tags.length - 1 }))
    .filter(({ tag, isClosed }) => {
      // In JSON more follows a tag that is not closed, so it has no name of ours; it may still begin like one.
      const name = isClosed ? trimSpace(tag) : `${tag.trimStart()}"`;
      return isOurs(name) && !isResolved(name, scope);
    });
}

function isOurs(name: string): boolean {
  return ROOTS.some((root) => name.startsWith(root));
}

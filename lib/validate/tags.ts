/** Finds the tags that nothing will resolve. */
import { didYouMean, type PathSegments } from "../api/mod.ts";
import { findTags, isClosed } from "../template/tags.ts";
import { checkExpressions } from "./expressions/fields.ts";
import type { Place, Report } from "./report.ts";
import { isResolved, type Scope } from "./scope.ts";
import { visitTexts } from "./texts.ts";

/** Only tags that begin so are ours to judge; `{{anything.else}}` may be meant for another tool. */
const ROOTS = ["item.", "steps.", "tasks.", "inputs.", "outputs.", "pod.", "workflow."];

const NESTED_TAG = /\{\{[^{}]*\{\{([^{}]*)\}\}[^{}]*\}\}/g;

/** A tag that cannot be resolved. */
export interface UnresolvedTag {
  /** What stands between the braces. */
  readonly tag: string;
  /** Whether it has closing braces; without them, the tag is the rest of the text. */
  readonly isClosed: boolean;
}

/**
 * Reports every tag in the texts of a value that the scope cannot resolve, each at its own place; and what is wrong with
 * its expressions, where the report wants that too.
 */
export function checkTags(report: Report, value: unknown, scope: Scope, place: Place, ...field: PathSegments): void {
  visitTexts(value, field, (text, at) => {
    for (const { tag, isClosed } of unresolvedTags(text, scope)) {
      const problem = isClosed
        ? `failed to resolve {{${tag}}}${didYouMean(tag.trim(), scope.names())}`
        : `failed to resolve {{${tag}; the tag is not closed`;
      report.add(place.at(...at), `${place.name} ${problem}`);
    }
  });
  checkExpressions(report, value, scope, place, ...field);
}

/** The tags of a text that the scope cannot resolve. Expressions are not looked at. */
export function unresolvedTags(text: string, scope: Scope): UnresolvedTag[] {
  if (!text.includes("{{")) return [];
  // A tag inside another is resolved first; what the outer one then says cannot be told before the run.
  const flat = text.replace(NESTED_TAG, (tag, inner: string) => scope.has(inner.trim()) ? "" : tag);
  const isWhole = isClosed(flat);
  const { tags } = findTags(isWhole ? flat : `${flat}}}`);
  return tags.map((tag, index) => ({ tag, isClosed: isWhole || index < tags.length - 1 }))
    .filter((found) => isOurs(found.tag.trim()) && !(found.isClosed && isResolved(found.tag.trim(), scope)));
}

function isOurs(name: string): boolean {
  return ROOTS.some((root) => name.startsWith(root));
}

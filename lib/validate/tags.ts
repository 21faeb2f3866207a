/** Finds the tags that nothing will resolve. */
import { didYouMean, type PathSegments } from "../api/mod.ts";
import { findTags, isClosed } from "../template/tags.ts";
import type { Place, Report } from "./report.ts";
import type { Scope } from "./scope.ts";

/** Only tags that begin so are ours to judge; `{{anything.else}}` may be meant for another tool. */
const ROOTS = ["item.", "steps.", "tasks.", "inputs.", "outputs.", "pod.", "workflow."];

/** Names that are always there when the tag is looked at, or whose absence is no mistake of the author. */
const ALWAYS = [
  "outputs.",
  "workflow.creationTimestamp",
  "workflow.scheduledTime",
  "workflow.duration",
  "tasks.name",
  "steps.name",
];

const NESTED_TAG = /\{\{[^{}]*\{\{([^{}]*)\}\}[^{}]*\}\}/g;

/** A tag that cannot be resolved. */
export interface UnresolvedTag {
  /** What stands between the braces. */
  readonly tag: string;
  /** Whether it has closing braces; without them, the tag is the rest of the text. */
  readonly isClosed: boolean;
}

/** Reports every tag in the texts of a value that the scope cannot resolve, each at its own place. */
export function checkTags(report: Report, value: unknown, scope: Scope, place: Place, ...field: PathSegments): void {
  walk(value, field, (text, at) => {
    for (const { tag, isClosed } of unresolvedTags(text, scope)) {
      const problem = isClosed
        ? `failed to resolve {{${tag}}}${didYouMean(tag.trim(), scope.names())}`
        : `failed to resolve {{${tag}; the tag is not closed`;
      report.add(place.at(...at), `${place.name} ${problem}`);
    }
  });
}

/** The tags of a text that the scope cannot resolve. Expressions are not judged. */
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

function isResolved(name: string, scope: Scope): boolean {
  return scope.resolves(name) || ALWAYS.some((prefix) => name.startsWith(prefix));
}

function walk(value: unknown, at: PathSegments, visit: (text: string, at: PathSegments) => void): void {
  if (typeof value === "string") return visit(value, at);
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) value.forEach((element, index) => walk(element, [...at, index], visit));
  else for (const [name, field] of Object.entries(value)) walk(field, [...at, name], visit);
}

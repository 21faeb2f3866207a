/** Finds tags that are never resolved. */
import type { PathSegments } from "@tiphys/model/api";
import { quoteJson, trimSpace } from "@tiphys/base/go";
import { isLoop } from "@tiphys/model/templates";
import { isEmptyLoop, type LoopHolder } from "../template/loop.ts";
import { findTags, isClosed } from "../template/tags.ts";
import type { FieldLocation, Report } from "./report.ts";
import { isResolved, type Scope } from "./scope.ts";
import { visitTexts } from "./texts.ts";

/** Prefixes of tags that are checked; `{{anything.else}}` may be for another tool. */
const ROOTS = ["item.", "steps.", "tasks.", "inputs.", "outputs.", "pod.", "workflow."];

/** A tag that cannot be resolved. */
export interface UnresolvedTag {
  /** The text between the braces. */
  readonly tag: string;
  /** Whether it has closing braces; without them, the tag is the rest of the text. */
  readonly isClosed: boolean;
}

/** Reports all tags in the texts of a value that the scope cannot resolve, each with its path. */
export function checkTags(
  report: Report,
  value: unknown,
  scope: Scope,
  fieldPath: FieldLocation,
  ...field: PathSegments
): void {
  visitTexts(value, field, (text, path) => {
    if (!text.includes("{{")) return;
    // As at run time, tags are found in the JSON of a text: a line break at the edge of a name is two characters of the
    // name.
    for (const { tag, isClosed } of unresolvedTags(quoteJson(text).slice(1, -1), scope)) {
      const problem = isClosed
        ? `failed to resolve {{${tag}}}${report.hint(tag.trim(), scope.names())}`
        : `failed to resolve {{${tag}; the tag is not closed`;
      report.add(fieldPath.pathTo(...path), `${fieldPath.name} ${problem}`);
    }
  });
}

/** Returns the tags of a text that the scope cannot resolve. Expressions are ignored. */
export function unresolvedTags(text: string, scope: Scope): UnresolvedTag[] {
  if (!text.includes("{{")) return [];
  const isWhole = isClosed(text);
  const { tags } = findTags(isWhole ? text : `${text}}}`);
  return tags.map((tag, index) => ({ tag, isClosed: isWhole || index < tags.length - 1 }))
    .filter(({ tag, isClosed }) => {
      // In JSON, more text follows an unclosed tag, so its name never matches; it may still begin with one.
      const name = isClosed ? trimSpace(tag) : `${tag.trimStart()}"`;
      return isOwnName(name) && !isResolved(name, scope);
    });
}

/**
 * Reports to lint the tags of other tools in a loop. Outside a loop such a tag stays in the text; a loop requires each
 * of its tags to have a value. Hooks keep theirs.
 */
export function checkTagsOfLoop(report: Report, loop: LoopHolder, scope: Scope, fieldPath: FieldLocation): void {
  if (!report.judgesExpressions || !isLoop(loop) || isEmptyLoop(loop)) return;
  const { withItems: _items, withParam: _param, withSequence: _sequence, hooks: _hooks, ...body } = loop;
  visitTexts(body, [], (text, path) => {
    if (!text.includes("{{") || !isClosed(text)) return;
    for (const tag of findTags(text).tags) {
      const name = trimSpace(tag);
      if (/^=|^item$|{{/.test(name) || isOwnName(name) || isResolved(name, scope)) continue;
      const message =
        `{{${tag}}} has no value, so the loop fails; to keep the text, make it a parameter of the workflow`;
      report.addFinding(fieldPath.pathTo(...path), {
        offset: Math.max(0, text.indexOf(`{{${tag}}}`)),
        severity: "warning",
        message,
      });
    }
  });
}

function isOwnName(name: string): boolean {
  return ROOTS.some((root) => name.startsWith(root));
}

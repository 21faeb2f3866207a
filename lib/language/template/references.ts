/** The names that a template uses. Loads the readers of tags and expressions, but nothing that fills them in. */
import { findReferences } from "./expr/references.ts";
import { type Position, positionOf } from "./place.ts";
import { findTags, isClosed } from "./tags.ts";

/** A name that a template uses. */
export interface TagReference {
  /** The name as the tag writes it: `steps.a.outputs.result`. */
  readonly name: string;
  /** Whether it is in `{{name}}` or in `{{=expression}}`. */
  readonly kind: "simple" | "expression";
  /** Whether the expression handles the absence of the name, as `name ?? "none"` does. */
  readonly optional: boolean;
  /** The fields and indexes that lead to the text. */
  readonly path: readonly (string | number)[];
  /** The position of the name in that text. */
  readonly position: Position;
}

/**
 * Returns the names that a template uses, in the order of its texts. A path in an expression is returned once, without
 * its prefixes; names defined by `let` are included. A text with an unclosed tag has no references.
 *
 * ```ts
 * import { references } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const template = { args: ["{{inputs.parameters.a}}", "{{=steps.b.status ?? workflow.name}}"] };
 * assertEquals(references(template).map(({ name, optional }) => [name, optional]), [
 * ["inputs.parameters.a", false],
 * ["steps.b.status", true],
 * ["workflow.name", false],
 * ]);
 * ```
 * @throws {ExpressionError} when an expression cannot be parsed.
 */
export function references(template: unknown): TagReference[] {
  return referencesWithin(template, []);
}

function referencesWithin(value: unknown, path: readonly (string | number)[]): TagReference[] {
  if (typeof value === "string") return referencesInText(value, path);
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((element, index) => referencesWithin(element, [...path, index]));
  return Object.entries(value).flatMap(([name, field]) => referencesWithin(field, [...path, name]));
}

function referencesInText(text: string, path: readonly (string | number)[]): TagReference[] {
  if (!text.includes("{{") || !isClosed(text)) return [];
  const { texts, tags } = findTags(text);
  let offset = 0;
  return tags.flatMap((tag, index): TagReference[] => {
    offset += (texts[index] ?? "").length + "{{".length;
    const start = offset;
    offset += tag.length + "}}".length;
    if (!tag.startsWith("=")) {
      const position = positionOf(text, start + tag.length - tag.trimStart().length);
      return [{ name: tag.trim(), kind: "simple", optional: false, path, position }];
    }
    return wholePaths(tag.slice(1)).map(({ name, optional, position }) => ({
      name,
      kind: "expression",
      optional,
      path,
      position: positionOf(text, start + 1 + position.offset),
    }));
  });
}

function wholePaths(expression: string) {
  const found = findReferences(expression);
  return found.filter(({ name }) => !found.some((other) => other.name.startsWith(`${name}.`)));
}

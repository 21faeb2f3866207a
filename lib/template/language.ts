/** The template language for other programs: compute an expression, fill in a template, tell what a template needs. */
import { isPlainMap, type Value } from "../go/value.ts";
import { environment } from "./expr/environment.ts";
import { evaluate as evaluateIn, findReferences } from "./expr/expression.ts";
import { type Position, positionOf } from "./place.ts";
import { replaceTags } from "./replace.ts";
import type { Scope } from "./scope.ts";
import { findTags, isClosed } from "./tags.ts";

/**
 * Values by name. A map or an object with names as tags write them (`"inputs.parameters.x"`), or objects within objects
 * (`{ inputs: { parameters: { x: "…" } } }`). Integers are bigints, floats are numbers. Null is a value that is known to
 * be absent; a name that is not there is unknown.
 */
export type Names = Scope | { readonly [name: string]: Value };

/**
 * The value of an expression. Integers come as bigints, floats as numbers, texts, booleans, lists and maps as
 * themselves, nil as null; times and durations have classes of their own. What was compiled is kept, so asking again
 * costs about a microsecond.
 *
 * ```ts
 * import { evaluate } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(evaluate("asInt(inputs.parameters.n) + 1", { "inputs.parameters.n": "41" }), 42n);
 * assertEquals(evaluate("map(names, upper(#)) | join('+')", { names: ["a", "b"] }), "A+B");
 * assertEquals(evaluate("workflow.labels?.team ?? 'none'", { workflow: { name: "w" } }), "none");
 * ```
 * @throws {ExpressionError} that shows the place, with `phase` "compile" or "run".
 */
export function evaluate(expression: string, names: Names = {}): Value {
  return evaluateIn(expression, environment(flat(names)));
}

/** The settings for filling in a template. */
export interface RenderSettings {
  /** The treatment of a tag whose name is unknown: it fails (the default), or is kept as it is for a later time. */
  readonly unknown?: "fail" | "keep";
}

/**
 * A template with its tags filled in: a text, or an object of plain JSON with texts at any depth. Values are data: tags
 * in them stay as they are. Parts without tags are shared with the template, and a template without any is returned
 * itself; what was read of it is kept, so it must not be changed in place afterwards.
 *
 * ```ts
 * import { render } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const names = { workflow: { name: "hello" }, "inputs.parameters.n": "41" };
 * assertEquals(render("{{workflow.name}}: {{=asInt(inputs.parameters.n) + 1}}", names), "hello: 42");
 * assertEquals(render({ args: ["{{workflow.name}}", "{{later}}"] }, names, { unknown: "keep" }), {
 *   args: ["hello", "{{later}}"],
 * });
 * ```
 * @throws {TemplateError}
 */
export function render<T>(template: T, names: Names, { unknown = "fail" }: RenderSettings = {}): T {
  return replaceTags(template, flat(names), { kind: unknown === "keep" ? "lenient" : "all" });
}

/** A name that a template uses. */
export interface TagReference {
  /** The name as the tag writes it: `steps.a.outputs.result`. */
  readonly name: string;
  /** Whether it stands in `{{name}}` or in `{{=expression}}`. */
  readonly kind: "simple" | "expression";
  /** Whether the expression copes with its absence, as `name ?? "none"` does. */
  readonly optional: boolean;
  /** The fields and indexes that lead to the text. */
  readonly path: readonly (string | number)[];
  /** The position of the name in that text. */
  readonly position: Position;
}

/**
 * The names that a template uses, in the order of its texts. Of a path in an expression only the whole is told, not the
 * paths on the way to it; `let` names count. A text with a tag that is never closed has none.
 *
 * ```ts
 * import { references } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const template = { args: ["{{inputs.parameters.a}}", "{{=steps.b.status ?? workflow.name}}"] };
 * assertEquals(references(template).map(({ name, optional }) => [name, optional]), [
 *   ["inputs.parameters.a", false],
 *   ["steps.b.status", true],
 *   ["workflow.name", false],
 * ]);
 * ```
 * @throws {ExpressionError} where an expression cannot be read.
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

/** Names as tags write them. */
function flat(names: Names): Scope {
  if (names instanceof Map) return names;
  const scope = new Map<string, Value>();
  const add = (prefix: string, value: Value) => {
    if (!isPlainMap(value) || Object.keys(value).length === 0) return scope.set(prefix, value);
    for (const [name, inner] of Object.entries(value)) add(`${prefix}.${name}`, inner);
  };
  for (const [name, value] of Object.entries(names as { readonly [name: string]: Value })) add(name, value);
  return scope;
}

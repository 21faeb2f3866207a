/** The template language for other programs: evaluate an expression, fill in a template. */
import { isPlainMap, type Value } from "@tiphys/base/go/value";
import { environment } from "./expr/environment.ts";
import { evaluate as evaluateIn } from "./expr/expression.ts";
import { replaceTags } from "./replace.ts";
import type { Scope } from "./scope.ts";

/**
 * Values by name. Either a map or object with names as in tags (`"inputs.parameters.x"`), or nested objects (`{ inputs:
 * { parameters: { x: "…" } } }`). Integers are bigints, floats are numbers. Null is a value that is known to be absent;
 * a missing name is unknown.
 */
export type Names = Scope | { readonly [name: string]: Value };

/**
 * Evaluates an expression. Integers are bigints, floats are numbers; texts, booleans, lists and maps are plain values,
 * nil is null, and times and durations have their own classes. Compiled expressions are cached: evaluating one again
 * takes about a microsecond.
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
  /** Treatment of a tag with an unknown name: fail (the default), or keep it for a later pass. */
  readonly unknown?: "fail" | "keep";
}

/**
 * Fills in the tags of a template: a text, or an object of plain JSON with texts at any depth. Values are data: tags in
 * them are not interpreted. Parts without tags are shared with the template, and a template without any tags is
 * returned itself. Its plan is cached, so the template must not be modified in place afterwards.
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

/** Flattens names to dotted names, as in tags. */
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

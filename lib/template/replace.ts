/** Fills in the tags of an object: what the peer does to its JSON text, done to the few strings that have tags. */
import { type Json, marshalTree } from "./json_tree.ts";
import { parseFilled, Pass, type RenderOptions } from "./render.ts";
import type { Mode, Scope } from "./scope.ts";
import { isClosed } from "./tags.ts";

/**
 * Fills in every string and key of an object of plain JSON. Returns the very same object when nothing changed, and shares
 * all parts that did not. Throws a `TemplateError` as `renderText` does, or when a value cannot stand in JSON text.
 *
 * ```ts
 * import { replaceTags } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const scope = new Map([["workflow.name", "hello"], ["inputs.parameters.n", "41"]]);
 * const object = { args: ["{{workflow.name}}", "{{=asInt(inputs.parameters.n) + 1}}"] };
 * assertEquals(replaceTags(object, scope, { kind: "all" }), { args: ["hello", "42"] });
 * ```
 */
export function replaceTags<T>(object: T, scope: Scope, mode: Mode, options?: RenderOptions): T {
  const found = survey(object);
  if (found === "none") return object;
  const pass = new Pass(scope, mode, options);
  // A tag may begin in one string and end in a later one: then only the whole text tells what it is.
  if (found === "open") return wholeText(object, pass);
  return walk(object as Json, pass) as T;
}

function wholeText<T>(object: T, pass: Pass): T {
  const json = marshalTree(object as Json);
  const filled = pass.render(json);
  return filled === json ? object : parseFilled(filled) as T;
}

/** Whether an object has tags, and whether one of them is open at the end of its string. */
function survey(value: unknown): "none" | "closed" | "open" {
  if (typeof value === "string") return !value.includes("{{") ? "none" : isClosed(value) ? "closed" : "open";
  if (typeof value !== "object" || value === null) return "none";
  let found: "none" | "closed" = "none";
  for (const key in value) {
    if (key.includes("{{")) {
      if (!isClosed(key)) return "open";
      found = "closed";
    }
    const inside = survey(value[key as keyof typeof value]);
    if (inside === "open") return "open";
    if (inside === "closed") found = "closed";
  }
  return found;
}

function walk(value: Json | undefined, pass: Pass): Json | undefined {
  if (typeof value === "string") return fill(value, pass);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let copy: (Json | undefined)[] | undefined;
    value.forEach((element, index) => {
      const filled = walk(element, pass);
      if (filled !== element) (copy ??= [...value])[index] = filled;
    });
    return (copy ?? value) as Json;
  }
  return walkFields(value as { readonly [key: string]: Json }, pass);
}

function walkFields(value: { readonly [key: string]: Json }, pass: Pass): Json {
  const entries: [string, Json | undefined][] = [];
  let changed = false;
  for (const key of Object.keys(value)) {
    const filledKey = fill(key, pass);
    const filled = walk(value[key], pass);
    changed ||= filledKey !== key || filled !== value[key];
    entries.push([filledKey, filled]);
  }
  return changed ? Object.fromEntries(entries) as Json : value;
}

function fill(text: string, pass: Pass): string {
  if (!text.includes("{{")) return text;
  const json = marshalTree(text);
  const filled = pass.render(json);
  return filled === json ? text : parseFilled(filled) as string;
}

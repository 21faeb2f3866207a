/** Checkers of the vectors of tags. */
import { assertEquals } from "@std/assert";
import { TemplateError } from "@tiphys/language/template/error";
import { renderDocument, renderText } from "../../lib/language/template/render.ts";
import { replaceTags } from "../../lib/language/template/replace.ts";
import type { Mode, Scope } from "../../lib/language/template/scope.ts";
import { type Check, checkOutcome, scopeOf, type Vector } from "./vector.ts";

function modeOf(vector: Vector): Mode {
  if (vector.mode === "strict") return { kind: "strict", prefixes: vector.strictPrefixes ?? [] };
  return { kind: vector.allowUnresolved ? "lenient" : "all" };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Checks that substitution in the parsed document has the same result as in its text. */
function checkTree(vector: Vector, scope: Scope, mode: Mode): void {
  const document = JSON.parse(vector.template);
  try {
    const filled = replaceTags(document, scope, mode);
    if (vector.output !== undefined) assertEquals(filled, JSON.parse(vector.output as string), "as data");
    else throw new Error("Expected a failure as data");
  } catch (error) {
    if (!(error instanceof TemplateError) || vector.error === undefined) throw error;
  }
}

/** Whether a template is JSON as Argo serializes it: no spaces, and no characters that Go escapes. */
function isCanonical({ template }: Vector): boolean {
  if (!isJson(template) || /[<>&]|\\u[0-9a-f]{4}/i.test(template)) return false;
  return JSON.stringify(JSON.parse(template)) === template;
}

export const TAGS: Record<string, Check> = {
  template: (vector) => {
    const scope = scopeOf(vector.params);
    const mode = modeOf(vector);
    if (vector.mode === "raw") return checkOutcome(vector, () => renderText(vector.template, scope, mode));
    checkOutcome(vector, () => renderDocument(vector.template, scope, mode));
    if (isCanonical(vector)) checkTree(vector, scope, mode);
  },
};

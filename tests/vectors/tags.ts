/** Checkers of the vectors of tags. */
import { assertEquals } from "@std/assert";
import { TemplateError } from "@tiphys/language/template/error";
import { renderDocument, renderText } from "../../lib/language/template/render.ts";
import { replaceTags } from "../../lib/language/template/replace.ts";
import type { Mode, Scope } from "../../lib/language/template/scope.ts";
import { type Check, checkOutcome, scopeOf, type Vector } from "./vector.ts";

function modeOf(v: Vector): Mode {
  if (v.mode === "strict") return { kind: "strict", prefixes: v.strictPrefixes ?? [] };
  return { kind: v.allowUnresolved ? "lenient" : "all" };
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
function checkTree(v: Vector, scope: Scope, mode: Mode): void {
  const document = JSON.parse(v.template);
  try {
    const filled = replaceTags(document, scope, mode);
    if (v.output !== undefined) assertEquals(filled, JSON.parse(v.output as string), "as data");
    else throw new Error("Expected a failure as data");
  } catch (error) {
    if (!(error instanceof TemplateError) || v.error === undefined) throw error;
  }
}

/** A document that Argo writes has no spaces and hardly an escape; vectors contain others, too. */
function isCanonical({ template }: Vector): boolean {
  if (!isJson(template) || /[<>&]|\\u[0-9a-f]{4}/i.test(template)) return false;
  return JSON.stringify(JSON.parse(template)) === template;
}

export const TAGS: Record<string, Check> = {
  template: (v) => {
    const scope = scopeOf(v.params);
    const mode = modeOf(v);
    if (v.mode === "raw") return checkOutcome(v, () => renderText(v.template, scope, mode));
    checkOutcome(v, () => renderDocument(v.template, scope, mode));
    if (isCanonical(v)) checkTree(v, scope, mode);
  },
};

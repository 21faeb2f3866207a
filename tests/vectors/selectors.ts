/** Checkers of the vectors of selectors. */
import { assertEquals } from "@std/assert";
import { TemplateError } from "@tiphys/language/template/error";
import { evaluateResourceConditions } from "@tiphys/language/template/resource_condition";
import { meetsRequirement, parseRequirements, printRequirements } from "@tiphys/base/selector/label_selector";
import { type Check, checkOutcome, type Vector } from "./vector.ts";

function matches(v: Vector): boolean {
  const labels: Record<string, string> = v.labels;
  return parseRequirements(v.selector).every((requirement) => meetsRequirement(requirement, (key) => labels[key]));
}

function judge(v: Vector): string {
  const verdict = evaluateResourceConditions(v.json, v.success, v.failure);
  assertEquals(verdict.kind === "waiting", v.retry);
  if (verdict.kind === "met") return "met";
  throw new TemplateError(verdict.message);
}

export const SELECTORS: Record<string, Check> = {
  labelselector: (v) => {
    checkOutcome(v, () => matches(v));
    if (v.error === undefined) return assertEquals(printRequirements(parseRequirements(v.selector)), v.canonical);
    try {
      matches(v);
    } catch (error) {
      assertEquals((error as Error).message, v.error);
    }
  },
  resourceconditions: (v) => {
    checkOutcome(v, () => judge(v));
    if (v.error === undefined) return;
    try {
      judge(v);
    } catch (error) {
      assertEquals((error as Error).message, v.error);
    }
  },
};

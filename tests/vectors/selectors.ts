/** Checkers of the vectors of selectors. */
import { assertEquals } from "@std/assert";
import { TemplateError } from "@tiphys/language/template/error";
import { evaluateResourceConditions } from "@tiphys/language/template/resource_condition";
import { meetsRequirement, parseRequirements, printRequirements } from "@tiphys/base/selector/label_selector";
import { type Check, checkOutcome, type Vector } from "./vector.ts";

function matches(vector: Vector): boolean {
  const labels: Record<string, string> = vector.labels;
  return parseRequirements(vector.selector).every((requirement) => meetsRequirement(requirement, (key) => labels[key]));
}

function judge(vector: Vector): string {
  const verdict = evaluateResourceConditions(vector.json, vector.success, vector.failure);
  assertEquals(verdict.kind === "waiting", vector.retry);
  if (verdict.kind === "met") return "met";
  throw new TemplateError(verdict.message);
}

export const SELECTORS: Record<string, Check> = {
  labelselector: (vector) => {
    checkOutcome(vector, () => matches(vector));
    if (vector.error === undefined) {
      return assertEquals(printRequirements(parseRequirements(vector.selector)), vector.canonical);
    }
    try {
      matches(vector);
    } catch (error) {
      assertEquals((error as Error).message, vector.error);
    }
  },
  resourceconditions: (vector) => {
    checkOutcome(vector, () => judge(vector));
    if (vector.error === undefined) return;
    try {
      judge(vector);
    } catch (error) {
      assertEquals((error as Error).message, vector.error);
    }
  },
};

/** Checkers of the vectors of `when`. */
import { assertEquals } from "@std/assert";
import type { TemplateError } from "@tiphys/language/template/error";
import { print, type WhenValue } from "../../lib/language/template/when/evaluate.ts";
import { tokenize } from "../../lib/language/template/when/lexer.ts";
import { evaluateStrictWhen, evaluateWhen } from "../../lib/language/template/when/when.ts";
import { type Check, checkOutcome } from "./vector.ts";

function typeOf(value: WhenValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  return typeof value === "number" ? "float64" : typeof value === "boolean" ? "bool" : typeof value;
}

export const WHEN: Record<string, Check> = {
  when: (vector) => {
    checkOutcome(vector, () => evaluateWhen(vector.when));
    if (vector.error === undefined || vector.panic) return;
    try {
      evaluateWhen(vector.when);
    } catch (error) {
      // Only the reason is compared: our message also contains the position.
      const { reason } = error as TemplateError;
      if (!/parsing regexp/.test(vector.error)) assertEquals(reason, vector.error);
    }
  },
  govaluate: (vector) => {
    checkOutcome(
      vector,
      () => {
        const value = evaluateStrictWhen(vector.expression);
        return [typeOf(value), print(value)];
      },
      [vector.type, vector.text],
    );
    if (vector.tokens) assertEquals(tokenize(vector.expression).map(({ kind }) => kind), vector.tokens);
  },
};

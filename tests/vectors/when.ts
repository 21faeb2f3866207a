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
  when: (v) => {
    checkOutcome(v, () => evaluateWhen(v.when));
    if (v.error === undefined || v.panic) return;
    try {
      evaluateWhen(v.when);
    } catch (error) {
      // Only the reason is compared: our message also contains the position.
      const { reason } = error as TemplateError;
      if (!/parsing regexp/.test(v.error)) assertEquals(reason, v.error);
    }
  },
  govaluate: (v) => {
    checkOutcome(
      v,
      () => {
        const value = evaluateStrictWhen(v.expression);
        return [typeOf(value), print(value)];
      },
      [v.type, v.text],
    );
    if (v.tokens) assertEquals(tokenize(v.expression).map(({ kind }) => kind), v.tokens);
  },
};

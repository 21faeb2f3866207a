/** Short ways to ask expressions in tests. */
import { assertEquals } from "@std/assert";
import { typeName, type Value } from "../../../go/mod.ts";
import { environment, evaluate, ExpressionError, toJsonText, toText } from "../mod.ts";
import { fromWire } from "./from_wire.ts";

/** An environment out of plain JSON: integers are ints, `{"$float": "1.5"}` a float. */
export function env(flat: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return environment(new Map(Object.entries(flat).map(([name, value]) => [name, fromWire(value)])));
}

/** The JSON text of an expression's value; where there is none its `%v` text, and where it fails the reason after `!`. */
export function answer(source: string, flat: Readonly<Record<string, unknown>> = {}): string {
  let value: Value;
  try {
    value = evaluate(source, env(flat));
  } catch (error) {
    if (error instanceof ExpressionError) return `!${error.phase}: ${error.reason}`;
    throw error;
  }
  try {
    return toJsonText(value);
  } catch {
    return toText(value);
  }
}

/** The Go type of an expression's value. */
export function typeOfAnswer(source: string, flat: Readonly<Record<string, unknown>> = {}): string {
  return typeName(evaluate(source, env(flat)));
}

/** Checks expression after expression against the answers expected. */
export function expectAnswers(
  cases: Readonly<Record<string, string>>,
  flat: Readonly<Record<string, unknown>> = {},
): void {
  for (const [source, expected] of Object.entries(cases)) assertEquals(answer(source, flat), expected, source);
}

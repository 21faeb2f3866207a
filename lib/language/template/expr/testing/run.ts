/** Helpers to evaluate expressions in tests. */
import { assertEquals } from "@std/assert";
import { typeName, type Value } from "@tiphys/base/go";
import { environment, evaluate, ExpressionError, toJsonText, toText } from "../mod.ts";
import { fromWire } from "./from_wire.ts";

/** Makes an environment from plain JSON: integers are ints, `{"$float": "1.5"}` is a float. */
export function env(flat: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return environment(new Map(Object.entries(flat).map(([name, value]) => [name, fromWire(value)])));
}

/**
 * Returns the JSON text of an expression's value; its `%v` text if it has no JSON, and the reason after `!` if it
 * fails.
 */
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

/** Returns the Go type of an expression's value. */
export function typeOfAnswer(source: string, flat: Readonly<Record<string, unknown>> = {}): string {
  return typeName(evaluate(source, env(flat)));
}

/** Compares expressions with the expected results. */
export function expectResults(
  cases: Readonly<Record<string, string>>,
  flat: Readonly<Record<string, unknown>> = {},
): void {
  for (const [source, expected] of Object.entries(cases)) assertEquals(answer(source, flat), expected, source);
}

/** A golden vector, and its check. */
import { assertEquals } from "@std/assert";
import { TemplateError } from "@tiphys/language/template/error";
import { fromWire } from "../../lib/language/template/expr/testing/from_wire.ts";
import type { Value } from "@tiphys/base/go/value";

/** Plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One golden vector: inputs and result of its kind. */
export interface Vector {
  readonly id: string;
  readonly kind: string;
  readonly error?: string;
  readonly missingVariable?: boolean;
  readonly output?: Json;
  // deno-lint-ignore no-explicit-any -- every kind has different fields; the checkers name and compare them
  readonly [field: string]: any;
}

/** Checks one vector. @throws {Error} when our answer differs */
export type Check = (vector: Vector) => void;

/** Kinds whose vectors record whether a failure is temporary. */
const MAY_WAIT = new Set(["template", "expandtask", "expandstep"]);

/** Runs the question of a vector and compares: it must fail where Argo failed, else return the vector's `output`. */
export function checkOutcome(vector: Vector, ask: () => unknown, expected: unknown = vector.output): void {
  let answer: unknown;
  try {
    answer = ask();
  } catch (error) {
    if (vector.error === undefined) throw error;
    if (!MAY_WAIT.has(vector.kind)) return;
    const missing = error instanceof TemplateError && error.isVariableMissing;
    assertEquals(missing, vector.missingVariable === true, `waits or fails: ${error}`);
    return;
  }
  if (vector.error !== undefined) {
    throw new Error(`Expected a failure (${vector.error}), got ${JSON.stringify(answer)}`);
  }
  assertEquals(answer, expected);
}

/** The values of a `params` or `scope` field. */
export function scopeOf(fields: { readonly [key: string]: Json }): Map<string, Value> {
  return new Map(Object.entries(fields).map(([key, value]) => [key, fromWire(value)]));
}

/** Omits empty values that one of the two prints and the other does not; an empty value or default is significant. */
export function prune(value: Json): Json {
  if (Array.isArray(value)) return value.map(prune);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, inside]) => [key, prune(inside)] as const)
    .filter(([key, inside]) => !(isEmpty(inside) && !(inside === "" && (key === "value" || key === "default"))));
  return Object.fromEntries(entries);
}

function isEmpty(value: Json): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

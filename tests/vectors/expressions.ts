/** Checkers of the vectors of the expression language. */
import { assert, assertEquals } from "@std/assert";
import { JsonError, typeName, unmarshalJson } from "@tiphys/base/go";
import { ExpressionError } from "../../lib/language/template/expr/error.ts";
import { RunFailure } from "../../lib/language/template/expr/failure.ts";
import {
  environment,
  evaluate,
  evaluateBoolean,
  queryJsonPath,
  toJsonText,
  toText,
  unfold,
} from "../../lib/language/template/expr/mod.ts";
import { replaceTags } from "../../lib/language/template/replace.ts";
import { evaluateCondition, evaluatePlainCondition } from "../../lib/language/template/condition.ts";
import { type Check, checkOutcome, scopeOf, type Vector } from "./vector.ts";

function envOf(vector: Vector, plain: boolean): Record<string, unknown> {
  const flat = scopeOf(vector.env ?? {});
  return plain ? unfold(flat) : environment(flat);
}

/** Returns the value, or the error if it is of a kind that users see. */
function attempt<T>(run: () => T): { value: T } | { error: Error } {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof RunFailure || error instanceof JsonError) return { error };
    throw error;
  }
}

function checkExpression(vector: Vector): void {
  const result = attempt(() => evaluate(vector.expression!, envOf(vector, false)));
  if ("error" in result) {
    assert(vector.error !== undefined, `failed with ${result.error.message}, expected ${vector.output}`);
    if (vector.phase !== undefined) assertEquals((result.error as ExpressionError).phase, vector.phase);
    return;
  }
  assert(vector.error === undefined, `gave ${toText(result.value)}, expected failure: ${vector.error}`);
  assertEquals(typeName(result.value), vector.type);
  if (vector.text !== undefined) assertEquals(toText(result.value).toWellFormed(), vector.text);
  const json = attempt(() => toJsonText(result.value));
  if (vector.marshalError !== undefined) assert("error" in json, "JSON was made where it cannot");
  else assertEquals("value" in json ? json.value : json.error.message, vector.output);
}

function checkBoolean(vector: Vector): void {
  const result = attempt(() => evaluateBoolean(vector.expression!, envOf(vector, vector.plainEnv === true)));
  if ("error" in result) assert(vector.error !== undefined, `failed with ${result.error.message}`);
  else {
    assert(vector.error === undefined, `gave ${result.value}, expected failure: ${vector.error}`);
    assertEquals(result.value as unknown, vector.output);
  }
}

/** Checks the same expression as a condition of a workflow. */
function checkCondition(vector: Vector): void {
  const scope = scopeOf(vector.env ?? {});
  checkOutcome(
    vector,
    () =>
      vector.plainEnv
        ? evaluatePlainCondition(vector.expression, unfold(scope))
        : evaluateCondition(vector.expression, scope),
  );
}

function checkJsonPath(vector: Vector): void {
  const result = attempt(() => queryJsonPath(unmarshalJson(vector.json!), vector.path!));
  if ("error" in result) return assert(vector.error !== undefined, `failed with ${result.error.message}`);
  assert(vector.error === undefined, `gave ${toText(result.value)}, expected failure: ${vector.error}`);
  assertEquals(toJsonText(result.value), vector.output);
  assertEquals(typeName(result.value), vector.type);
}

/** Checks the text of `{{=expression}}` when no tag may stay unchanged. */
function checkRendered(vector: Vector): void {
  // Vectors whose expression contains braces that would close the tag have no result for this.
  if (vector.rendered === undefined && vector.renderError === undefined) return;
  const render = () => replaceTags(`{{=${vector.expression}}}`, scopeOf(vector.env ?? {}), { kind: "all" });
  checkOutcome({ ...vector, error: vector.renderError }, render, vector.rendered);
}

export const EXPRESSIONS: Readonly<Record<string, Check>> = {
  expr: (vector) => {
    checkExpression(vector);
    checkRendered(vector);
  },
  sprig: (vector) => {
    checkExpression(vector);
    checkRendered(vector);
  },
  evalbool: (vector) => {
    checkBoolean(vector);
    checkCondition(vector);
  },
  jsonpath: checkJsonPath,
};

/** Runs the golden vectors of the expression language; skipped where the folder is absent. `VECTORS` names the folder. */
import { assert, assertEquals } from "@std/assert";
import { readGoldenVectors } from "../../testing/golden_vectors.ts";
import { fromWire, type Vector } from "./testing/vectors.ts";
import { environment, evaluate, evaluateBoolean, queryJsonPath, toJsonText, toText, unfold } from "./mod.ts";
import { JsonError, typeName, unmarshalJson } from "../../go/mod.ts";
import { RunFailure } from "./failure.ts";
import { ExpressionError } from "./error.ts";

type Check = (vector: Vector) => void;

function envOf(vector: Vector, plain: boolean): Record<string, unknown> {
  const flat = new Map(Object.entries(vector.env ?? {}).map(([name, value]) => [name, fromWire(value)]));
  return plain ? unfold(flat) : environment(flat);
}

/** Runs and gives the value, or the error where there was one of the kinds users see. */
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

function checkJsonPath(vector: Vector): void {
  const result = attempt(() => queryJsonPath(unmarshalJson(vector.json!), vector.path!));
  if ("error" in result) return assert(vector.error !== undefined, `failed with ${result.error.message}`);
  assert(vector.error === undefined, `gave ${toText(result.value)}, expected failure: ${vector.error}`);
  assertEquals(toJsonText(result.value), vector.output);
  assertEquals(typeName(result.value), vector.type);
}

const CHECKS: Readonly<Record<string, Check>> = {
  expr: checkExpression,
  sprig: checkExpression,
  evalbool: checkBoolean,
  jsonpath: checkJsonPath,
};

const vectors = readGoldenVectors<Vector>();

for (const [kind, check] of Object.entries(CHECKS)) {
  Deno.test({
    name: `every ${kind} vector gives what Go gives` +
      (vectors === undefined ? " (no vectors folder: see VECTORS)" : ""),
    ignore: vectors === undefined,
    fn: () => {
      const own = vectors!.filter((vector) => vector.kind === kind);
      const faults: string[] = [];
      for (const vector of own) {
        try {
          check(vector);
        } catch (error) {
          const what = vector.expression ?? vector.path;
          faults.push(`${vector.id} ${JSON.stringify(what)}: ${(error as Error).message.replace(/\s+/g, " ").trim()}`);
        }
      }
      console.log(`${kind}: ${own.length - faults.length} of ${own.length} vectors`);
      assert(own.length > 0);
      assertEquals(faults.join("\n"), "");
    },
  });
}

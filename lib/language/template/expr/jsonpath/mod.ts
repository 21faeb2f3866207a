/**
 * `jsonpath(text, path)`: JSONPath as Argo's library implements it.
 *
 * `tokens.ts` splits a path, `subscript.ts` parses brackets, `script.ts` compiles the text in `(…)`, `steps.ts`
 * evaluates.
 */
import type { Value } from "@tiphys/base/go";
import { currentBudget } from "../budget.ts";
import { fail } from "../failure.ts";
import { PathError } from "./path_error.ts";
import type { Script } from "./script.ts";
import { compilePath } from "./steps.ts";

/**
 * Evaluates a path in a JSON document. Returns a value for a path of keys and indexes, and a list for a path with a
 * wildcard, filter, slice, union or `..`.
 * @throws {RunFailure} for a malformed path and for a missing key or index.
 */
export function queryJsonPath(document: Value, path: string): Value {
  const budget = currentBudget();
  // Parsing its scripts takes time quadratic in the length of the path.
  budget.charge(path.length ** 2 * 5);
  let run: Script;
  try {
    run = compilePath(path);
  } catch (error) {
    return failWith(error, (reason) => `invalid JSONPath selector '${path}' ${reason}`);
  }
  try {
    return run({ root: document, current: document, budget });
  } catch (error) {
    return failWith(error, (reason) => reason);
  }
}

function failWith(error: unknown, describe: (reason: string) => string): never {
  if (error instanceof PathError) fail(describe(error.message), error.hint?.());
  throw error;
}

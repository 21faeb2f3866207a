/**
 * `jsonpath(text, path)`: JSONPath as Argo's library understands it.
 *
 * `tokens.ts` cuts a path, `subscript.ts` reads brackets, `script.ts` compiles what stands in `(…)`, `steps.ts` walks.
 */
import type { Value } from "../../../go/mod.ts";
import { budgetAtWork } from "../budget.ts";
import { fail } from "../failure.ts";
import { PathFault } from "./fault.ts";
import type { Script } from "./script.ts";
import { compilePath } from "./steps.ts";

/**
 * The result of a path in a JSON document: a value for a path of keys and indexes, a list once a wildcard, filter,
 * slice, union or `..` is in it.
 * @throws a RunFailure for a malformed path and where a key or index is missing.
 */
export function queryJsonPath(document: Value, path: string): Value {
  const budget = budgetAtWork();
  // Reading its scripts takes time that grows with the square of a path's length.
  budget.spend(path.length ** 2 * 5);
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
  if (error instanceof PathFault) fail(describe(error.message), error.hint?.());
  throw error;
}

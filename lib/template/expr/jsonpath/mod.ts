/** JSONPath queries. */
import type { Value } from "../../../go/mod.ts";
import { fail } from "../failure.ts";

/** The value at a path of a JSON document. */
export function queryJsonPath(_document: Value, path: string): Value {
  return fail(`invalid JSONPath selector '${path}'`);
}

/** Reads the `depends` of a task before anything ran. That the tasks it names are there is checked with the graph. */
import { BOOL, UNKNOWN } from "@tiphys/base/go/type";
import { type EnvTypes, ExpressionError, typeOfExpression } from "../../template/expr/mod.ts";
import { dependenciesOf } from "../task_dependencies.ts";
import type { Fault } from "./fault.ts";

/** The faults of a `depends` as an expression. Whether the tasks in it exist is checked elsewhere. */
export function judgeDepends(depends: string): Fault[] {
  // As at the run, names lose their hyphens, which moves nothing.
  const source = depends.replaceAll("-", "_");
  const types: EnvTypes = new Map(
    dependenciesOf({ name: "", depends }).map(({ task }) => [task.replaceAll("-", "_"), UNKNOWN]),
  );
  try {
    const { kind, text } = typeOfExpression(source, types);
    if (kind === BOOL.kind || kind === UNKNOWN.kind) return [];
    return [{ severity: "error", offset: 0, message: `expected a condition over tasks, got ${text}` }];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const hint = error.hint === undefined ? "" : `; ${error.hint}`;
    return [{ severity: "error", offset: error.position?.offset ?? 0, message: `${error.reason}${hint}` }];
  }
}

/** Checks the syntax of a task's `depends`. The graph check resolves the tasks in it. */
import { BOOL, UNKNOWN } from "@tiphys/base/go/type";
import { type EnvTypes, ExpressionError, typeOfExpression } from "../../template/expr/mod.ts";
import { dependenciesOf } from "../task_dependencies.ts";
import type { Fault } from "./fault.ts";

/** Returns the faults of `depends` as an expression. Whether its tasks exist is checked elsewhere. */
export function dependsFaults(depends: string): Fault[] {
  // As at run time, hyphens in names are replaced, which does not change offsets.
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

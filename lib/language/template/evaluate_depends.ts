/** Evaluates `depends` when the tasks that it names have results. */
import { BOOL, type GoType } from "@tiphys/base/go/type";
import { nearestName } from "@tiphys/base/nearest_name";
import { evaluatePlainCondition } from "./condition.ts";
import { findUnknownResult, unknownResult } from "./depends.ts";
import { TemplateError } from "./error.ts";
import { ExpressionError, typeOfExpression } from "./expr/mod.ts";
import { TASK_RESULTS } from "./task_references.ts";

/** The fields of a task's node that this module reads. */
export interface DependsNode {
  readonly phase?: string;
  readonly type?: string;
  readonly daemoned?: boolean;
}

/** The type of a task in the expression language: a struct with one boolean field for each result. */
const TASK: GoType = {
  kind: "struct",
  text: "controller.TaskResults",
  fields: new Map(TASK_RESULTS.map((result) => [result, BOOL])),
};

/**
 * Evaluates a condition. `results` has the finished node of each dependency. `childPhases` returns the phases of a
 * node's children, undefined for a child that no longer exists.
 * @throws {TemplateError} or {ExpressionError} when the condition is invalid.
 */
export function evaluateDepends<N extends DependsNode>(
  logic: string,
  results: ReadonlyMap<string, N>,
  childPhases: (node: N) => readonly (string | undefined)[],
): boolean {
  const spelled = logic.replaceAll("-", "_");
  const unknown = findUnknownResult(logic);
  if (unknown !== undefined) {
    const nearest = nearestName(unknown.result, TASK_RESULTS);
    const hint = nearest === undefined ? `expected one of ${TASK_RESULTS.join(", ")}` : `did you mean ${nearest}?`;
    throw new TemplateError(`unable to evaluate expression '${spelled}': ${unknownResult(logic)}`, {
      place: { source: logic, offset: unknown.offset, hint },
    });
  }
  const env: Record<string, Record<string, boolean>> = Object.create(null);
  for (const [name, node] of results) {
    // If two task names differ only in `-` and `_`, the first task counts.
    env[name.replaceAll("-", "_")] ??= resultsOf(node, node.type === "TaskGroup" ? childPhases(node) : []);
  }
  try {
    typeOfExpression(spelled, new Map(Object.keys(env).map((name) => [name, TASK])));
    return evaluatePlainCondition(spelled, env);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { hint, phase, isExhausted: exhausted, position } = error;
    const failed = `unable to evaluate expression '${spelled}': `;
    const reason = error.reason.startsWith(failed) ? error.reason : failed + error.reason;
    throw new ExpressionError(reason, {
      source: spelled,
      offset: position?.offset,
      phase,
      hint,
      exhausted,
      cause: error,
    });
  }
}

function resultsOf(node: DependsNode, children: readonly (string | undefined)[]): Record<string, boolean> {
  const { phase } = node;
  return {
    Succeeded: phase === "Succeeded",
    Failed: phase === "Failed",
    Errored: phase === "Error",
    Skipped: phase === "Skipped",
    Omitted: phase === "Omitted",
    Daemoned: node.daemoned === true && phase !== "Pending",
    AnySucceeded: children.includes("Succeeded"),
    AllFailed: children.length > 0 && children.every((child) => child === "Failed"),
  };
}

/** Checkers of the vectors of DAGs. */
import { assertEquals } from "@std/assert";
import { ancestryOf } from "../../lib/language/template/ancestry.ts";
import { type DagNode, dagPhase } from "../../lib/language/template/dag_phase.ts";
import { dagLeaves, dependsLogic, type DependsTask, unknownResult } from "@tiphys/language/template/depends";
import { evaluateDepends } from "../../lib/language/template/evaluate_depends.ts";
import { type Check, checkOutcome, type Vector } from "./vector.ts";

interface Status {
  readonly phase: string;
  readonly type?: string;
  readonly daemoned?: boolean;
  readonly children?: Record<string, string>;
}

const DONE = ["Succeeded", "Failed", "Error", "Skipped", "Omitted"];

function isFinished(status: { phase?: string; daemoned?: boolean }): boolean {
  return DONE.includes(status.phase!) || (status.daemoned === true && status.phase !== "Pending");
}

function depends(vector: Vector): { execute: boolean; proceed: boolean } {
  // A task that has started already is not evaluated again.
  if (vector.statuses[vector.task]) return { execute: true, proceed: true };
  const { logic, dependencies } = dependsLogic(vector.tasks, vector.task);
  const results = new Map<string, Status>();
  for (const name of dependencies) {
    const status: Status | undefined = vector.statuses[name];
    if (!status || !isFinished(status)) return { execute: false, proceed: false };
    results.set(name, { type: status.children ? "TaskGroup" : "Pod", ...status });
  }
  const childPhases = (node: Status) => Object.values(node.children ?? {});
  return { execute: evaluateDepends(logic, results, childPhases), proceed: true };
}

function phase(vector: Vector): string {
  const names: string[] = vector.dag.tasks.map((task: DependsTask) => task.name);
  const nodes = new Map<string, DagNode>([["", {
    id: "",
    type: "DAG",
    phase: "Running",
    children: vector.children[""],
  }]]);
  for (const [id, status] of Object.entries(vector.statuses as Record<string, Status>)) {
    nodes.set(id, { id, type: "Pod", phase: status.phase, children: vector.children[id] });
  }
  const targets: string[] = vector.dag.target ? vector.dag.target.split(" ") : dagLeaves(vector.dag.tasks);
  assertEquals(targets.every((target) => names.includes(target)), true);
  return dagPhase({
    boundaryId: "",
    targets: targets.map((id) => {
      const { continueOn } = vector.dag.tasks.find((task: DependsTask) => task.name === id);
      return { id, continuesOn: (phase) => Boolean(phase === "Failed" ? continueOn?.failed : continueOn?.error) };
    }),
    // The tasks of the vectors come after their dependencies.
    tasks: names.map((id) => ({ id, dependencies: dependsLogic(vector.dag.tasks, id).dependencies })),
    failFast: vector.dag.failFast ?? true,
    isShuttingDown: vector.shutdown,
    node: (id) => nodes.get(id),
    isFulfilled: isFinished,
  }).phase;
}

export const DAG: Record<string, Check> = {
  dependslogic: (vector) => {
    checkOutcome(vector, () => dependsLogic(vector.tasks, vector.task).logic, vector.logic);
    if (vector.error !== undefined) return;
    assertEquals(dependsLogic(vector.tasks, vector.task).dependencies.toSorted(), vector.dependencies);
    assertEquals(dagLeaves(vector.tasks), vector.leaves);
    assertEquals(unknownResult(vector.logic), vector.validateError);
  },
  depends: (vector) =>
    checkOutcome(vector, () => depends(vector), { execute: vector.execute, proceed: vector.proceed }),
  ancestry: (vector) =>
    checkOutcome(vector, () => ancestryOf(vector.tasks, vector.task, (name) => vector.finishedAt[name])),
  dagphase: (vector) => checkOutcome(vector, () => phase(vector)),
};

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

function depends(v: Vector): { execute: boolean; proceed: boolean } {
  // A task that has started already is not evaluated again.
  if (v.statuses[v.task]) return { execute: true, proceed: true };
  const { logic, dependencies } = dependsLogic(v.tasks, v.task);
  const results = new Map<string, Status>();
  for (const name of dependencies) {
    const status: Status | undefined = v.statuses[name];
    if (!status || !isFinished(status)) return { execute: false, proceed: false };
    results.set(name, { type: status.children ? "TaskGroup" : "Pod", ...status });
  }
  const childPhases = (node: Status) => Object.values(node.children ?? {});
  return { execute: evaluateDepends(logic, results, childPhases), proceed: true };
}

function phase(v: Vector): string {
  const names: string[] = v.dag.tasks.map((task: DependsTask) => task.name);
  const nodes = new Map<string, DagNode>([["", { id: "", type: "DAG", phase: "Running", children: v.children[""] }]]);
  for (const [id, status] of Object.entries(v.statuses as Record<string, Status>)) {
    nodes.set(id, { id, type: "Pod", phase: status.phase, children: v.children[id] });
  }
  const targets: string[] = v.dag.target ? v.dag.target.split(" ") : dagLeaves(v.dag.tasks);
  assertEquals(targets.every((target) => names.includes(target)), true);
  return dagPhase({
    boundaryId: "",
    targets: targets.map((id) => {
      const { continueOn } = v.dag.tasks.find((task: DependsTask) => task.name === id);
      return { id, continuesOn: (phase) => Boolean(phase === "Failed" ? continueOn?.failed : continueOn?.error) };
    }),
    // The tasks of the vectors come after their dependencies.
    tasks: names.map((id) => ({ id, dependencies: dependsLogic(v.dag.tasks, id).dependencies })),
    failFast: v.dag.failFast ?? true,
    isShuttingDown: v.shutdown,
    node: (id) => nodes.get(id),
    isFulfilled: isFinished,
  }).phase;
}

export const DAG: Record<string, Check> = {
  dependslogic: (v) => {
    checkOutcome(v, () => dependsLogic(v.tasks, v.task).logic, v.logic);
    if (v.error !== undefined) return;
    assertEquals(dependsLogic(v.tasks, v.task).dependencies.toSorted(), v.dependencies);
    assertEquals(dagLeaves(v.tasks), v.leaves);
    assertEquals(unknownResult(v.logic), v.validateError);
  },
  depends: (v) => checkOutcome(v, () => depends(v), { execute: v.execute, proceed: v.proceed }),
  ancestry: (v) => checkOutcome(v, () => ancestryOf(v.tasks, v.task, (name) => v.finishedAt[name])),
  dagphase: (v) => checkOutcome(v, () => phase(v)),
};

/** The tasks that a DAG task names, also when they are not there: a checker must not stop at the first. */
import type { DAGTask } from "@tiphys/model/api";
import { taskReferences } from "../template/task_references.ts";

/** One mention of another task. */
export interface Dependency {
  readonly task: string;
  /** The result that is asked for; undefined for a bare name. */
  readonly result?: string;
  /** The field it stands in. */
  readonly field: readonly (string | number)[];
}

/** Every mention of another task in `depends`, or else in `dependencies`. */
export function dependenciesOf({ depends, dependencies = [] }: DAGTask): Dependency[] {
  if (!depends) return dependencies.map((task, index) => ({ task, field: ["dependencies", index] }));
  return taskReferences(depends).map(({ task, result }) => ({ task, result, field: ["depends"] }));
}

/** The tasks that each task of a DAG waits for directly, by its name. */
export type TaskGraph = ReadonlyMap<string, readonly string[]>;

/** Reads the graph of a DAG. */
export function graphOf(tasks: readonly DAGTask[]): TaskGraph {
  return new Map(tasks.map((task) => [task.name, dependenciesOf(task).map((dependency) => dependency.task)]));
}

/** All tasks that are over before this one starts. */
export function ancestorsOf(graph: TaskGraph, name: string): ReadonlySet<string> {
  // A set is walked through to what is added meanwhile.
  const found = new Set(graph.get(name) ?? []);
  for (const task of found) for (const dependency of graph.get(task) ?? []) found.add(dependency);
  return found;
}

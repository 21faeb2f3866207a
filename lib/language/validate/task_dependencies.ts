/** The tasks that a DAG task depends on, including missing ones: a check must not stop at the first. */
import type { DAGTask } from "@tiphys/model/api";
import { taskReferences } from "../template/task_references.ts";

/** A reference to another task. */
export interface Dependency {
  readonly task: string;
  /** The required result; undefined for a plain name. */
  readonly result?: string;
  /** The field with the reference. */
  readonly field: readonly (string | number)[];
}

/** Returns all references to other tasks in `depends`, or else in `dependencies`. */
export function dependenciesOf({ depends, dependencies = [] }: DAGTask): Dependency[] {
  if (!depends) return dependencies.map((task, index) => ({ task, field: ["dependencies", index] }));
  return taskReferences(depends).map(({ task, result }) => ({ task, result, field: ["depends"] }));
}

/** The direct dependencies of each task of a DAG, by name. */
export type TaskGraph = ReadonlyMap<string, readonly string[]>;

/** Returns the graph of a DAG. */
export function graphOf(tasks: readonly DAGTask[]): TaskGraph {
  return new Map(tasks.map((task) => [task.name, dependenciesOf(task).map((dependency) => dependency.task)]));
}

/** Returns all tasks that have finished before this one starts. */
export function ancestorsOf(graph: TaskGraph, name: string): ReadonlySet<string> {
  // Iterating a set includes elements that are added during the iteration.
  const found = new Set(graph.get(name) ?? []);
  for (const task of found) for (const dependency of graph.get(task) ?? []) found.add(dependency);
  return found;
}

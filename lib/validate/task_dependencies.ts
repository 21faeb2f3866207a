/** Which tasks a DAG task names, also when they are not there: a checker must not stop at the first. */
import type { DAGTask } from "../api/mod.ts";

/** One mention of another task. */
export interface Dependency {
  readonly task: string;
  /** The result that is asked for; undefined for a bare name. */
  readonly result?: string;
  /** The field it stands in. */
  readonly field: readonly (string | number)[];
}

/** The results that `depends` can ask for. */
export const RESULTS: readonly string[] = [
  "Succeeded",
  "Failed",
  "Errored",
  "Skipped",
  "Omitted",
  "Daemoned",
  "AnySucceeded",
  "AllFailed",
];

const MENTION = /([a-zA-Z0-9][-a-zA-Z0-9]*?)\.([A-Z][a-zA-Z]+)|([a-zA-Z0-9][-a-zA-Z0-9]*)/g;

/** Every mention of another task in `depends`, or else in `dependencies`. */
export function dependenciesOf({ depends, dependencies = [] }: DAGTask): Dependency[] {
  if (!depends) return dependencies.map((task, index) => ({ task, field: ["dependencies", index] }));
  return [...depends.matchAll(MENTION)].map(([, task, result, bare]) => ({
    task: bare ?? task,
    result,
    field: ["depends"],
  }));
}

/** What each task of a DAG waits for directly. */
export type TaskGraph = ReadonlyMap<string, readonly string[]>;

/** Reads the graph of a DAG. */
export function graphOf(tasks: readonly DAGTask[]): TaskGraph {
  return new Map(tasks.map((task) => [task.name, dependenciesOf(task).map((dependency) => dependency.task)]));
}

/** All tasks that are over before this one starts. */
export function ancestorsOf(graph: TaskGraph, name: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (current: string) => {
    for (const dependency of graph.get(current) ?? []) {
      if (found.has(dependency)) continue;
      found.add(dependency);
      visit(dependency);
    }
  };
  visit(name);
  return found;
}

/**
 * The language of `depends`, and of the older `dependencies`: what a DAG task waits for, written out in full. Loads
 * nothing that runs expressions: `depends_answer.ts` does.
 */
import { compareText } from "../go/text.ts";
import { nearestName } from "../nearest_name.ts";
import { TemplateError } from "./error.ts";
import type { Place } from "./place.ts";
import { TASK_REFERENCE, TASK_RESULTS, taskReferences } from "./task_references.ts";

/** The fields of a DAG task that are read here. */
export interface DependsTask {
  readonly name: string;
  readonly depends?: string;
  readonly dependencies?: readonly string[];
  readonly continueOn?: { readonly error?: boolean; readonly failed?: boolean };
}

/** The condition that a task waits for, and the tasks in it. */
export interface TaskDependencies {
  /** The condition with every bare task name written out; empty when the task waits for nothing. */
  readonly logic: string;
  /** The tasks it names, each once. */
  readonly dependencies: readonly string[];
}

/** The tasks of a DAG by name, and what was found out about them: a pass asks for each task many times. */
interface Dag {
  readonly tasks: ReadonlyMap<string, DependsTask>;
  readonly found: Map<string, TaskDependencies>;
}

const dags = new WeakMap<readonly DependsTask[], Dag>();

/**
 * The condition that a task waits for, and the tasks in it.
 * @throws {TemplateError} when it names a task that is not in the DAG by its bare name. Of a task that is named with a
 * result, `checkDependencies` says so.
 */
export function dependsLogic(tasks: readonly DependsTask[], name: string): TaskDependencies {
  const dag = dagOf(tasks);
  let found = dag.found.get(name);
  if (!found) dag.found.set(name, found = findDependencies(dag, name));
  return found;
}

/** @throws {TemplateError} when a task waits for one that is not in the DAG, whichever way it names it. */
export function checkDependencies(tasks: readonly DependsTask[], name: string): void {
  const dag = dagOf(tasks);
  const { depends = "" } = find(dag, name);
  for (const { task, offset } of taskReferences(depends)) find(dag, task, { source: depends, offset });
}

function dagOf(tasks: readonly DependsTask[]): Dag {
  let dag = dags.get(tasks);
  // Of tasks with the same name the first counts.
  const byName = () => new Map(tasks.toReversed().map((task) => [task.name, task]));
  if (!dag) dags.set(tasks, dag = { tasks: byName(), found: new Map() });
  return dag;
}

function findDependencies(dag: Dag, name: string): TaskDependencies {
  const { depends, dependencies = [] } = find(dag, name);
  const source = depends || dependencies.map((dependency) => writtenOut(find(dag, dependency))).join(" && ");
  const found = new Set<string>();
  const logic = source.replace(TASK_REFERENCE, (text, task: string, result: string | undefined, at: number) => {
    found.add(task);
    return result === undefined ? writtenOut(find(dag, task, { source, offset: at })) : text;
  });
  return { logic, dependencies: [...found] };
}

/** Words that other languages have for operators; here they are names of tasks. */
const OPERATOR_WORDS: { readonly [word: string]: string } = { and: "&&", or: "||", not: "!" };

function find(dag: Dag, name: string, place: Place = { source: name, offset: 0 }): DependsTask {
  const task = dag.tasks.get(name);
  if (task) return task;
  const meant = Object.hasOwn(OPERATOR_WORDS, name) ? OPERATOR_WORDS[name] : nearestName(name, dag.tasks.keys());
  const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
  throw new TemplateError(`target ${name} does not exist`, { place: { ...place, hint } });
}

/**
 * The condition that a bare task name stands for: the task is done in a way that its `continueOn` accepts. Omitted is
 * not one of these ways.
 */
function writtenOut({ name, continueOn }: DependsTask): string {
  const results = ["Succeeded", "Skipped", "Daemoned"];
  if (continueOn?.error) results.push("Errored");
  if (continueOn?.failed) results.push("Failed");
  return `(${results.map((result) => `${name}.${result}`).join(" || ")})`;
}

/** The first result word in a condition that no task can have, as a sentence; undefined when all are known. */
export function unknownResult(logic: string): string | undefined {
  const found = findUnknownResult(logic);
  return found && `task result '${found.result}' for task '${found.task}' is invalid`;
}

/** The first result of a condition that tasks do not have, with its task and its offset. */
export function findUnknownResult(logic: string): { task: string; result: string; offset: number } | undefined {
  for (const { task, result, offset } of taskReferences(logic)) {
    if (result === undefined || TASK_RESULTS.includes(result)) continue;
    return { task, result, offset: offset + task.length + 1 };
  }
  return undefined;
}

/** The tasks nothing depends on, by name: what a DAG without `target` aims at. */
export function dagLeaves(tasks: readonly DependsTask[]): string[] {
  const needed = new Set(tasks.flatMap((task) => dependsLogic(tasks, task.name).dependencies));
  const names = new Set(tasks.map((task) => task.name));
  return [...names.difference(needed)].sort(compareText);
}

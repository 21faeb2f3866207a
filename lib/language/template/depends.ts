/**
 * Parses `depends`, and the older `dependencies`, into a task's full condition. Loads no code that evaluates
 * expressions; `evaluate_depends.ts` does that.
 */
import { compareText } from "@tiphys/base/go/text";
import { nearestName } from "@tiphys/base/nearest_name";
import { TemplateError } from "./error.ts";
import type { SourceLocation } from "./place.ts";
import { TASK_REFERENCE, TASK_RESULTS, taskReferences } from "./task_references.ts";

/** The fields of a DAG task that this module reads. */
export interface DependsTask {
  readonly name: string;
  readonly depends?: string;
  readonly dependencies?: readonly string[];
  readonly continueOn?: { readonly error?: boolean; readonly failed?: boolean };
}

/** The condition of a task, and the tasks that it names. */
export interface TaskDependencies {
  /** The condition with every bare task name expanded. Empty when the task waits for nothing. */
  readonly logic: string;
  /** The names of the tasks in the condition, without duplicates. */
  readonly dependencies: readonly string[];
}

/** The tasks of a DAG by name, and a cache of their dependencies: a pass reads those of each task many times. */
interface Dag {
  readonly tasks: ReadonlyMap<string, DependsTask>;
  readonly cache: Map<string, TaskDependencies>;
}

const dags = new WeakMap<readonly DependsTask[], Dag>();

/**
 * Returns the condition of a task, and the tasks that it names.
 * @throws {TemplateError} when it names a task that is not in the DAG by its bare name. `checkDependencies` also
 * rejects unknown tasks that are named with a result.
 */
export function dependsLogic(tasks: readonly DependsTask[], name: string): TaskDependencies {
  const dag = dagOf(tasks);
  let cache = dag.cache.get(name);
  if (!cache) dag.cache.set(name, cache = computeDependencies(dag, name));
  return cache;
}

/** @throws {TemplateError} when the task waits for a task that is not in the DAG, with or without a result. */
export function checkDependencies(tasks: readonly DependsTask[], name: string): void {
  const dag = dagOf(tasks);
  const { depends = "" } = findTask(dag, name);
  for (const { task, offset } of taskReferences(depends)) findTask(dag, task, { source: depends, offset });
}

function dagOf(tasks: readonly DependsTask[]): Dag {
  let dag = dags.get(tasks);
  // If several tasks have the same name, the first one counts.
  const byName = () => new Map(tasks.toReversed().map((task) => [task.name, task]));
  if (!dag) dags.set(tasks, dag = { tasks: byName(), cache: new Map() });
  return dag;
}

function computeDependencies(dag: Dag, name: string): TaskDependencies {
  const { depends, dependencies = [] } = findTask(dag, name);
  const source = depends || dependencies.map((dependency) => expandBareName(findTask(dag, dependency))).join(" && ");
  const found = new Set<string>();
  const logic = source.replace(TASK_REFERENCE, (text, task: string, result: string | undefined, offset: number) => {
    found.add(task);
    return result === undefined ? expandBareName(findTask(dag, task, { source, offset: offset })) : text;
  });
  return { logic, dependencies: [...found] };
}

/** Operators of other languages. Here these words are task names. */
const OPERATOR_WORDS: { readonly [word: string]: string } = { and: "&&", or: "||", not: "!" };

function findTask(dag: Dag, name: string, place: SourceLocation = { source: name, offset: 0 }): DependsTask {
  const task = dag.tasks.get(name);
  if (task) return task;
  const meant = Object.hasOwn(OPERATOR_WORDS, name) ? OPERATOR_WORDS[name] : nearestName(name, dag.tasks.keys());
  const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
  throw new TemplateError(`target ${name} does not exist`, { place: { ...place, hint } });
}

/** Expands a bare task name: the task has ended in a way that its `continueOn` accepts. `Omitted` is never accepted. */
function expandBareName({ name, continueOn }: DependsTask): string {
  const results = ["Succeeded", "Skipped", "Daemoned"];
  if (continueOn?.error) results.push("Errored");
  if (continueOn?.failed) results.push("Failed");
  return `(${results.map((result) => `${name}.${result}`).join(" || ")})`;
}

/** Returns a message about the first result in a condition that is not a task result; undefined when all are valid. */
export function unknownResult(logic: string): string | undefined {
  const found = findUnknownResult(logic);
  return found && `task result '${found.result}' for task '${found.task}' is invalid`;
}

/** Finds the first result in a condition that is not a task result, with its task and offset. */
export function findUnknownResult(logic: string): { task: string; result: string; offset: number } | undefined {
  for (const { task, result, offset } of taskReferences(logic)) {
    if (result === undefined || TASK_RESULTS.includes(result)) continue;
    return { task, result, offset: offset + task.length + 1 };
  }
  return undefined;
}

/** Returns the tasks that no other task depends on, sorted by name: the targets of a DAG without `target`. */
export function dagLeaves(tasks: readonly DependsTask[]): string[] {
  const needed = new Set(tasks.flatMap((task) => dependsLogic(tasks, task.name).dependencies));
  const names = new Set(tasks.map((task) => task.name));
  return [...names.difference(needed)].sort(compareText);
}

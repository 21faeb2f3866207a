/**
 * What a DAG task waits for: `depends` (or the older `dependencies`), written out in full and evaluated over the results
 * of the tasks it names.
 */
import { compareText } from "../go/text.ts";
import { nearestName } from "../nearest_name.ts";
import { evaluatePlainCondition } from "./condition.ts";
import { TemplateError } from "./error.ts";
import type { Place } from "./place.ts";

/** What is read of a DAG task. */
export interface DependsTask {
  readonly name: string;
  readonly depends?: string;
  readonly dependencies?: readonly string[];
  readonly continueOn?: { readonly error?: boolean; readonly failed?: boolean };
}

/** What a task waits for. */
export interface TaskDependencies {
  /** The condition with every bare task name written out; empty when the task waits for nothing. */
  readonly logic: string;
  /** The tasks it names, each once. */
  readonly dependencies: readonly string[];
}

/** What is read of the node of a task. */
export interface DependsNode {
  readonly phase?: string;
  readonly type?: string;
  readonly daemoned?: boolean;
}

const RESULTS = ["Succeeded", "Failed", "Errored", "Skipped", "Omitted", "Daemoned", "AnySucceeded", "AllFailed"];

/** A task's result, or a bare task name. Whatever else looks like a word is taken for a task too. */
const REFERENCE = /([a-zA-Z0-9][-a-zA-Z0-9]*?)\.([A-Z][a-zA-Z]+)|([a-zA-Z0-9][-a-zA-Z0-9]*)/g;

/** The tasks of a DAG by name, and what was found out about them: a pass asks for each task many times. */
interface Dag {
  readonly tasks: ReadonlyMap<string, DependsTask>;
  readonly found: Map<string, TaskDependencies>;
}

const dags = new WeakMap<readonly DependsTask[], Dag>();

/** What a task waits for. Throws a `TemplateError` when it names a task that is not in the DAG. */
export function dependsLogic(tasks: readonly DependsTask[], name: string): TaskDependencies {
  let dag = dags.get(tasks);
  if (!dag) dags.set(tasks, dag = { tasks: new Map(tasks.map((task) => [task.name, task])), found: new Map() });
  let found = dag.found.get(name);
  if (!found) dag.found.set(name, found = findDependencies(dag, name));
  return found;
}

function findDependencies(dag: Dag, name: string): TaskDependencies {
  const task = find(dag, name);
  if (task.depends) return fromDepends(dag, task.depends);
  const dependencies = task.dependencies ?? [];
  const logic = dependencies.map((dependency) => writtenOut(find(dag, dependency))).join(" && ");
  return { logic, dependencies: [...new Set(dependencies)] };
}

function fromDepends(dag: Dag, depends: string): TaskDependencies {
  const dependencies = new Set<string>();
  const logic = depends.replace(REFERENCE, (text, withResult: string, _result: string, bare: string, at: number) => {
    const task = find(dag, withResult ?? bare, { source: depends, offset: at });
    dependencies.add(task.name);
    return bare === undefined ? text : writtenOut(task);
  });
  return { logic, dependencies: [...dependencies] };
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

/** What a bare task name stands for: done in a way its `continueOn` accepts. Omitted is not among them. */
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

function findUnknownResult(logic: string): { task: string; result: string; offset: number } | undefined {
  for (const { 1: task, 2: result, index } of logic.matchAll(REFERENCE)) {
    if (result === undefined || RESULTS.includes(result)) continue;
    return { task, result, offset: index + task.length + 1 };
  }
  return undefined;
}

/** The tasks nothing depends on, by name: what a DAG without `target` aims at. */
export function dagLeaves(tasks: readonly DependsTask[]): string[] {
  const needed = new Set(tasks.flatMap((task) => dependsLogic(tasks, task.name).dependencies));
  const names = new Set(tasks.map((task) => task.name));
  return [...names.difference(needed)].sort(compareText);
}

/**
 * Says whether a condition holds. `results` has the finished node of each dependency, `childPhases` the phases of a
 * node's children (undefined for one that is gone). Throws a `TemplateError` or an `ExpressionError` where the condition
 * makes no sense.
 */
export function evaluateDepends<N extends DependsNode>(
  logic: string,
  results: ReadonlyMap<string, N>,
  childPhases: (node: N) => readonly (string | undefined)[],
): boolean {
  const spelled = logic.replaceAll("-", "_");
  const unknown = findUnknownResult(logic);
  if (unknown !== undefined) {
    const nearest = nearestName(unknown.result, RESULTS);
    const hint = nearest === undefined ? `expected one of ${RESULTS.join(", ")}` : `did you mean ${nearest}?`;
    throw new TemplateError(`unable to evaluate expression '${spelled}': ${unknownResult(logic)}`, {
      place: { source: logic, offset: unknown.offset, hint },
    });
  }
  const env: Record<string, Record<string, boolean>> = Object.create(null);
  for (const [name, node] of results) {
    // Where two tasks differ only in `-` and `_`, the first one is meant.
    env[name.replaceAll("-", "_")] ??= resultsOf(node, node.type === "TaskGroup" ? childPhases(node) : []);
  }
  return evaluatePlainCondition(spelled, env);
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

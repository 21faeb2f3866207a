/**
 * The language of `depends`, and of the older `dependencies`: what a DAG task waits for, written out in full and
 * evaluated over the results of the tasks it names.
 */
import { compareText } from "../go/text.ts";
import { BOOL, type GoType } from "../go/type.ts";
import { nearestName } from "../nearest_name.ts";
import { evaluatePlainCondition } from "./condition.ts";
import { TemplateError } from "./error.ts";
import { ExpressionError, typeOfExpression } from "./expr/mod.ts";
import type { Place } from "./place.ts";
import { TASK_REFERENCE, taskReferences } from "./task_references.ts";

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

/** The fields of a task's node that are read here. */
export interface DependsNode {
  readonly phase?: string;
  readonly type?: string;
  readonly daemoned?: boolean;
}

const RESULTS = ["Succeeded", "Failed", "Errored", "Skipped", "Omitted", "Daemoned", "AnySucceeded", "AllFailed"];

/** The type of a task in the expression language: a struct whose fields, one for each result, are all booleans. */
const TASK_RESULTS: GoType = {
  kind: "struct",
  text: "controller.TaskResults",
  fields: new Map(RESULTS.map((result) => [result, BOOL])),
};

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

function findUnknownResult(logic: string): { task: string; result: string; offset: number } | undefined {
  for (const { task, result, offset } of taskReferences(logic)) {
    if (result === undefined || RESULTS.includes(result)) continue;
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

/**
 * Says whether a condition holds. `results` has the finished node of each dependency, `childPhases` the phases of a
 * node's children (undefined for one that is gone).
 * @throws {TemplateError} or an `ExpressionError` where the condition makes no sense.
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
    // Of two tasks whose names differ only in `-` and `_` the first one is meant.
    env[name.replaceAll("-", "_")] ??= resultsOf(node, node.type === "TaskGroup" ? childPhases(node) : []);
  }
  try {
    typeOfExpression(spelled, new Map(Object.keys(env).map((name) => [name, TASK_RESULTS])));
    return evaluatePlainCondition(spelled, env);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { hint, phase, exhausted, position } = error;
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

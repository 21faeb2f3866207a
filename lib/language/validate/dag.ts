/** Checks templates with tasks and dependencies. */
import { type DAGTask, type DAGTemplate, didYouMean } from "@tiphys/model/api";
import { callsTemplates } from "@tiphys/model/templates";
import { checkWholeTime } from "../template/expr/meter.ts";
import { containsTag, workflowFieldNameErrors } from "../template/name_rules.ts";
import { TASK_RESULTS } from "../template/task_references.ts";
import { checkArguments } from "./arguments.ts";
import { checkCall, checkHandlers } from "./call.ts";
import { findCycle } from "./cycle.ts";
import { checkExpressions } from "./expressions/fields.ts";
import { addItems, areOutputsLists, checkLoopSize } from "./loop_items.ts";
import { checkProducers } from "./producers.ts";
import type { FieldLocation, Report } from "./report.ts";
import { addGlobalOutputs, addOutputs, Scope } from "./scope.ts";
import type { Caller } from "./steps.ts";
import { checkTags, checkTagsOfLoop } from "./tags.ts";
import { ancestorsOf, dependenciesOf, type Dependency, graphOf } from "./task_dependencies.ts";

/**
 * Checks the graph, then each task after its dependencies. In `dag`, tags are substituted as far as possible when the
 * template starts; `written` is the original.
 */
export function checkDAG(dag: DAGTemplate, written: DAGTemplate, caller: Caller): void {
  const { context: { report }, place } = caller;
  if (dag.tasks.length === 0) {
    return report.add(place.pathTo("dag", "tasks"), `${place.name} must have at least one task`);
  }
  const isOrdered = checkOrder(dag, caller);
  checkNamesOfTasks(dag, caller);
  checkDependencies(dag, caller);
  dag.tasks.forEach((task, index) => {
    const location = placeOf(dag, task, place);
    const { home, context, scope, checkBody } = caller;
    const args = task.arguments ?? {};
    // Arguments are checked before the call, so that an argument with an invalid source is not reported as missing.
    checkArguments(context.report, args, location.part(`${location.name}.arguments`, "arguments"), {
      allowMissingValues: false,
    });
    const { inline, template: name } = written.tasks[index] ?? task;
    const outer = { scope, filled: task.inline };
    const options = { args, outer, written: name, checkBody };
    const template = checkCall(context, home, { ...task, inline }, location, options);
    addOutputs(scope, `tasks.${task.name}`, template, areOutputsLists(task));
    addGlobalOutputs(context.globals, scope, template);
  });
  checkTargets(dag, caller);
  const graph = graphOf(dag.tasks);
  // With an invalid dependency, any task may be meant to precede another: the mistake is reported once.
  const all = new Set(dag.tasks.map(({ name }) => name));
  const isTask = (name: string) => all.has(name);
  dag.tasks.forEach((task, index) => {
    const ancestors = isOrdered ? () => ancestorsOf(graph, task.name) : () => all;
    checkTask(task, written.tasks[index] ?? task, { at: placeOf(dag, task, place), ancestors, isTask, caller });
  });
}

/** Checks that the tasks can be ordered: names are unique, dependencies exist, and there is no cycle. */
function checkOrder(dag: DAGTemplate, { context: { report }, place }: Caller): boolean {
  const before = report.errors.length;
  const byName = new Map<string, DAGTask>();
  dag.tasks.forEach((task, index) => {
    if (task.name !== "" && byName.has(task.name)) {
      report.add(
        place.pathTo("dag", "tasks", index, "name"),
        `${place.name} sorting failed: duplicated nodeName ${task.name}`,
      );
    }
    byName.set(task.name, task);
  });
  for (const task of dag.tasks) {
    const location = placeOf(dag, task, place);
    for (const { task: needed, field } of dependenciesOf(task)) {
      if (byName.has(needed)) continue;
      const hint = report.hint(needed, byName.keys());
      report.add(location.pathTo(...field), `${place.name} sorting failed: invalid dependency ${needed}${hint}`);
    }
  }
  const cycle = findCycle([...byName.keys()], (name) => dependenciesOf(byName.get(name)!).map(({ task }) => task));
  if (cycle) {
    const start = dag.tasks.findLast(({ name }) => cycle.startsWith(`${name}->`));
    const path = start === undefined
      ? place.pathTo("dag")
      : placeOf(dag, start, place).pathTo(start.depends ? "depends" : "dependencies");
    report.add(path, `${place.name} sorting failed: graph with cycle: ${cycle}`);
  }
  return report.errors.length === before;
}

function checkNamesOfTasks(dag: DAGTemplate, { context: { report }, place }: Caller): void {
  for (const [index, { name }] of dag.tasks.entries()) {
    const problem = nameProblem(name, index);
    if (problem !== undefined) report.add(place.pathTo("dag", "tasks", index, "name"), `${place.name}${problem}`);
  }
}

function nameProblem(name: string, index: number): string | undefined {
  if (name === "") return `.tasks[${index}].name is required`;
  const errors = workflowFieldNameErrors(name);
  return errors.length === 0 ? undefined : `.tasks[${index}].name: '${name}' is invalid: ${errors.join(";")}`;
}

/** Checks that tasks use one form of dependencies, and use it correctly. */
function checkDependencies(dag: DAGTemplate, { context: { report }, place }: Caller): void {
  const byName = new Map(dag.tasks.map((task) => [task.name, task]));
  const usesDepends = dag.tasks.some(({ depends }) => depends);
  for (const task of dag.tasks) {
    const location = placeOf(dag, task, place);
    if ((usesDepends || task.dependencies?.length) && /^\d/.test(task.name)) {
      const message = `${location.name} name cannot begin with a digit when using either 'depends' or 'dependencies'`;
      report.add(location.pathTo("name"), message);
    }
    if (usesDepends && task.dependencies?.length) {
      const message = `${place.name} cannot use both 'depends' and 'dependencies' in the same DAG template`;
      report.add(location.pathTo("dependencies"), message);
    }
    if (usesDepends && task.continueOn) {
      const instead = "Instead use 'dep-task.Failed'/'dep-task.Errored'";
      report.add(
        location.pathTo("continueOn"),
        `${place.name} cannot use 'continueOn' when using 'depends'. ${instead}`,
      );
    }
    for (const dependency of dependenciesOf(task)) {
      const problem = dependencyProblem(dependency, byName, location, place);
      if (problem !== undefined) report.add(location.pathTo(...dependency.field), problem);
    }
  }
}

/** Returns the problem with the result of a dependency; the existence of the task is already checked. */
function dependencyProblem(
  { task, result }: Dependency,
  byName: ReadonlyMap<string, DAGTask>,
  place: FieldLocation,
  template: FieldLocation,
): string | undefined {
  const target = byName.get(task);
  if (target === undefined || result === undefined) return undefined;
  if (!TASK_RESULTS.includes(result)) {
    return `${place.name} task result '${result}' for task '${task}' is invalid${didYouMean(result, TASK_RESULTS)}`;
  }
  const isLooped = areOutputsLists(target) || target.withSequence !== undefined;
  if ((result === "AnySucceeded" || result === "AllFailed") && !isLooped) {
    return `${template.name}.tasks.${task} dependency '${task}' uses an items-based condition such as ` +
      ".AnySucceeded or .AllFailed but does not contain any items";
  }
  return undefined;
}

function checkTargets(dag: DAGTemplate, { context: { report }, place, scope }: Caller): void {
  if (!dag.target) return;
  checkTags(report, dag.target, scope, place.part(`${place.name}.targets`, "dag", "target"));
  const names = new Set(dag.tasks.map(({ name }) => name));
  for (const target of dag.target.split(" ")) {
    if (containsTag(target) || names.has(target)) continue;
    const message = `${place.name}.targets: target '${target}' is not defined${report.hint(target, names)}`;
    report.add(place.pathTo("dag", "target"), message);
  }
}

interface CheckedTask {
  readonly at: FieldLocation;
  /** The tasks that have finished before this one starts. */
  readonly ancestors: () => ReadonlySet<string>;
  readonly isTask: (name: string) => boolean;
  readonly caller: Caller;
}

function checkTask(task: DAGTask, written: DAGTask, taskPlace: CheckedTask): void {
  const { at, ancestors: ancestorsOfTask, isTask, caller } = taskPlace;
  const { context, home, scope } = caller;
  const { report } = context;
  checkWholeTime();
  let found: ReadonlySet<string> | undefined;
  const ancestors = () => found ??= ancestorsOfTask();
  const own = new Scope(scope);
  if (task.hooks) own.add(`tasks.${task.name}.status`);
  own.addStatuses(ancestors);
  const problem = addItems(own, task);
  if (problem !== undefined) report.add(at.pathTo(), `${at.name} ${problem}`);
  checkLoopSize(report, task, at);
  const { inline: _, ...fields } = task;
  const { inline: _inline, ...writtenFields } = written;
  checkTags(report, fields, own, at);
  checkTagsOfLoop(report, fields, own, at);
  checkExpressions(report, writtenFields, own, at);
  checkReferences(task, ancestors, at, (path, message) => report.add(path, message));
  checkTaskProducers(report, written, { at, isTask, ancestors });
  checkHandlers(context, home, task, at);
}

/** Reports references in the fields of a task that can never be resolved. Hooks may refer to the task itself. */
function checkTaskProducers(
  report: Report,
  { inline, hooks, depends: _, ...fields }: DAGTask,
  { at, isTask, ancestors }: Pick<CheckedTask, "at" | "isTask" | "ancestors">,
): void {
  const obstacle = (mayBeItself: boolean) => (member: string) => {
    if (!isTask(member)) return undefined; // reported with all other unknown names
    if (member === fields.name) return mayBeItself ? undefined : "a task cannot refer to its own outputs";
    return ancestors().has(member) ? undefined : `task '${fields.name}' does not depend on '${member}'`;
  };
  const leaf = inline && callsTemplates(inline) ? undefined : inline;
  const args = withoutReported(fields.arguments);
  checkProducers(report, "tasks", { ...fields, arguments: args, ...(leaf && { inline: leaf }) }, at, obstacle(false));
  checkProducers(report, "tasks", { hooks }, at, obstacle(true));
}

/** Returns the arguments without the texts that `checkReferences` reports. */
function withoutReported(args: DAGTask["arguments"]): DAGTask["arguments"] {
  const left = (text: string | undefined) => text?.startsWith("{{tasks.") ? undefined : text;
  return args && {
    parameters: args.parameters?.map((parameter) => ({ ...parameter, value: left(parameter.value) })),
    artifacts: args.artifacts?.map((artifact) => ({ ...artifact, from: left(artifact.from) })),
  };
}

/** Checks that the source of an argument is a task that has finished before. */
function checkReferences(
  { arguments: args }: DAGTask,
  ancestors: () => ReadonlySet<string>,
  place: FieldLocation,
  report: (path: FieldLocation["path"], message: string) => void,
): void {
  const check = (reference: string | undefined, subject: string, field: (string | number)[]) => {
    const task = /^\{\{tasks\.([^.}]*)/.exec(reference ?? "")?.[1];
    if (task !== undefined && !ancestors().has(task)) {
      report(place.pathTo("arguments", ...field), `${place.name} missing dependency '${task}' for ${subject}`);
    }
  };
  args?.parameters?.forEach(({ name, value }, index) =>
    check(value, `parameter '${name}'`, ["parameters", index, "value"])
  );
  args?.artifacts?.forEach(({ name, from }, index) => check(from, `artifact '${name}'`, ["artifacts", index, "from"]));
}

function placeOf(dag: DAGTemplate, task: DAGTask, template: FieldLocation): FieldLocation {
  return template.part(`${template.name}.tasks.${task.name}`, "dag", "tasks", dag.tasks.indexOf(task));
}

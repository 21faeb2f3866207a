/**
 * DAG: tasks with dependencies. A pass visits the targets and their dependencies. A task starts when all of its
 * dependencies have ended and its `depends` holds.
 */
import { type DAGTask, didYouMean, type NodePhase, type NodeStatus, type Template } from "@tiphys/model/api";
import {
  ancestryOf,
  dagPhase,
  type DagPhaseResult,
  dependsLogic,
  evaluateDepends,
  type TaskDependencies,
} from "@tiphys/language/template";
import {
  isCompleted,
  isFailure,
  isFulfilled,
  isOver,
  isSkippedOrOmitted,
  loopNameOf,
  memberNodeName,
  onExitNodeName,
  withResultOfOriginalPod,
} from "@tiphys/model/status";
import { isLoop } from "@tiphys/model/templates";
import { aggregateLoop, childrenOfLoop } from "./aggregate.ts";
import { ensureRunningNode, type Execute, type Outcome, type ReadyCall } from "./call.ts";
import { continuesOn } from "./continue_on.ts";
import { DagPlan } from "./dag_plan.ts";
import { endDaemons } from "./daemons.ts";
import { failureOfTask } from "./failure_message.ts";
import { endDescendants } from "./end_unfinished_nodes.ts";
import { exportOutputs } from "../spec/global_outputs.ts";
import { ExitHookError, exitHookOf, failExitHook, type HookCall, runExitHook, runHooks } from "./hooks.ts";
import { addNewNode } from "../nodes/new_node.ts";
import { reusableKind } from "./reusable_outcomes.ts";
import { outboundNodes } from "../nodes/outbound.ts";
import { templateOutputs } from "./outputs.ts";
import type { Draft } from "../draft.ts";
import type { Slice } from "../slice.ts";
import {
  calledTemplate,
  expandCalls,
  inputFacts,
  isWhenTrue,
  type ReferenceFacts,
  resolveReferences,
} from "./references.ts";
import { outcomeOfReference, type Producer } from "./reference_outcome.ts";
import { type CallState, type LoopCalls, loopCallsOf } from "./loop_calls.ts";
import { addNodeOutputs, addSkippedLoop, addSkippedOutputs, newScope, type Scope } from "./scope.ts";
import { userErrorMessage } from "../user_error.ts";
import { hasTagsInVolumes, type VolumeScope, volumeScopeOf } from "../spec/volumes.ts";

/** A DAG during a pass. */
interface Dag {
  readonly pass: Slice<Draft>;
  readonly call: ReadyCall;
  readonly execute: Execute;
  readonly id: string;
  readonly template: Template;
  readonly plan: DagPlan;
}

/** Runs a DAG template. */
export function runDag(pass: Slice<Draft>, call: ReadyCall, execute: Execute): Outcome {
  const { nodeName, template } = call;
  const node = ensureRunningNode(pass, call, "DAG");
  const plan = DagPlan.forNode(pass, nodeName, template);
  const dag: Dag = { pass, call, execute, id: node.id, template, plan };
  const outcome = advanceDag(dag);
  if (pass.isNodeCompleted(node.id)) {
    endDaemons(pass, node.id);
    endDescendants(pass, node.id);
  }
  return outcome;
}

function advanceDag(dag: Dag): Outcome {
  const { pass, id, template } = dag;
  const { targets } = dag.plan;
  dag.plan.visitDue(pass, (name) => runTask(dag, name));
  if (pass.currentEvaluation.isPartial) return { kind: "node", node: pass.draft.nodes.get(id)! };
  const evaluation = evaluateDag(dag, !pass.mayRun(dag.call.onExit === true) && isNothingRunning(dag));
  for (const [groupId, phase] of evaluation.groups) pass.draft.mark(groupId, phase);
  if (evaluation.phase === "Running") return { kind: "node", node: pass.draft.nodes.get(id)! };
  const outbound = targets.flatMap((target) => {
    const node = taskNode(dag, target);
    return node ? outboundNodes(pass, node) : [];
  });
  pass.draft.update(id, { outboundNodes: outbound.length ? outbound : undefined });
  if (isFailure(evaluation.phase)) {
    return { kind: "node", node: pass.draft.mark(id, evaluation.phase, failureMessage(dag, evaluation.cause)) };
  }

  const outputs = templateOutputs(template, outputScope(dag));
  if (outputs) {
    pass.draft.update(id, { outputs });
    exportOutputs(pass, outputs);
  }
  return { kind: "node", node: pass.draft.mark(id, "Succeeded") };
}

/** The message of a DAG that failed because of a task or of the workflow's shutdown. */
function failureMessage({ pass, plan }: Dag, cause: string | undefined): string | undefined {
  const task = cause === undefined ? undefined : pass.draft.nodes.get(cause);
  if (task) return failureOfTask(pass.draft.nodes, plan.nameOf(task.id) ?? task.name, task);
  return pass.shutdown ? `Stopped with strategy '${pass.shutdown}'` : undefined;
}

/** Whether no task and no exit handler of a target is running. */
function isNothingRunning({ pass, plan }: Dag): boolean {
  const isOpen = (node: NodeStatus | undefined) => node !== undefined && !isFulfilled(node);
  for (const task of plan.tasks.keys()) if (isOpen(plan.nodeOf(pass, task))) return false;
  return plan.targets.every((target) => {
    const node = plan.nodeOf(pass, target);
    const exitNode = node && isFulfilled(node) && isCompleted(node) &&
      pass.draft.nodes.byName(onExitNodeName(node.name));
    return !exitNode || isFulfilled(exitNode);
  });
}

function evaluateDag(dag: Dag, isShutDown: boolean): DagPhaseResult {
  const { pass, plan } = dag;
  const blocker = plan.blocker === undefined ? undefined : pass.draft.nodes.get(plan.blocker);
  // The task that kept the DAG running in the last pass still does. A task group may have ended without being marked
  // yet.
  if (blocker && blocker.type !== "TaskGroup" && !isFulfilled(blocker) && !isShutDown) return STILL_RUNNING;
  const result = dagPhase<NodeStatus>({
    boundaryId: dag.id,
    targets: plan.targets.map((name) => ({
      id: plan.idOf(pass, name),
      continuesOn: (phase) => continuesOn(plan.tasks.get(name), phase as NodePhase),
    })),
    tasks: plan.orderedTasks(pass),
    failFast: dag.template.dag?.failFast !== false,
    isShuttingDown: isShutDown,
    node: (id) => {
      const node = pass.draft.nodes.get(id);
      return node && withResultOfOriginalPod(node);
    },
    isFulfilled,
    hasUnfinishedWork: (groupId) => plan.unfinishedLoops.has(groupId),
  });
  if (plan.heldHandlers.size > 0 && !isShutDown && result.phase !== "Running") {
    plan.blocker = undefined;
    // The task that used the room may have ended in this pass.
    if (pass.draft.nodes.changed.size > 0) pass.requestPassAt(pass.facts.now.getTime());
    return STILL_RUNNING;
  }
  // The write of a pass that marks task groups may fail, so the next pass must check all tasks again.
  plan.blocker = result.groups.size ? undefined : result.blocker;
  return result;
}

const STILL_RUNNING: DagPhaseResult = { phase: "Running", groups: new Map() };

function taskName(dag: Dag, task: string): string {
  return memberNodeName(dag.call.nodeName, task);
}

function taskId(dag: Dag, task: string): string {
  return dag.plan.tasks.has(task) ? dag.plan.idOf(dag.pass, task) : dag.pass.draft.nodes.idOf(taskName(dag, task));
}

function taskNode(dag: Dag, task: string): NodeStatus | undefined {
  return dag.plan.tasks.has(task) ? dag.plan.nodeOf(dag.pass, task) : dag.pass.draft.nodes.byName(taskName(dag, task));
}

function dependenciesOf(dag: Dag, name: string): TaskDependencies {
  return dependsLogic(dag.template.dag!.tasks!, name);
}

/** Runs a task, after its dependencies. */
function runTask(dag: Dag, name: string): void {
  const task = dag.plan.tasks.get(name)!;
  dag.plan.unfinishedLoops.delete(taskId(dag, name));
  dag.plan.heldHandlers.delete(name);
  let node = taskNode(dag, name);
  // Hooks of a loop run once per item. A loop that cannot be expanded has no items; it is treated as a failed call.
  const hasHooks = !isLoop(task) || isWithoutItems(node);
  if (hasHooks && node) {
    if (!mayContinue(dag, node.id, runTaskHooks(dag, task, node))) return;
    node = taskNode(dag, name)!;
  }
  if (node && isOver(node)) {
    if (hasHooks && isCompleted(node)) runHandlerOfTask(dag, task, node);
    return;
  }
  if (node && reusableKind(dag.pass, node)) return;
  // A workflow that is being ended starts no tasks, and adds no nodes for them.
  if (!node && !dag.pass.mayRun(dag.call.onExit === true)) return;
  if (!node && dag.pass.postponesCalls()) return;

  startTaskWhenDue(dag, task, node);
  // A task, and the DAG with it, may end in the pass that starts it, so its hooks run here.
  node = taskNode(dag, name);
  if (!node || !isOver(node) || isLoop(task) && !isWithoutItems(node)) return;
  if (!mayContinue(dag, node.id, runTaskHooks(dag, task, node))) return;
  if (isCompleted(node)) runHandlerOfTask(dag, task, node);
}

/** Runs the exit handler of a task without a loop. The DAG waits for a handler that may not start yet. */
function runHandlerOfTask(dag: Dag, task: DAGTask, node: NodeStatus): void {
  const isDone = runTaskExitHook(dag, task, node);
  const isHeld = !isDone && !dag.pass.draft.nodes.byName(onExitNodeName(node.name));
  if (isHeld) dag.plan.heldHandlers.add(task.name);
}

/** Whether a node is that of a loop that failed before it had items. */
function isWithoutItems(node: NodeStatus | undefined): boolean {
  return node?.type === "Skipped" && isFailure(node.phase);
}

/** Starts a task, or continues it, once its dependencies have ended as its `depends` requires. */
function startTaskWhenDue(dag: Dag, task: DAGTask, node: NodeStatus | undefined): void {
  const { name } = task;
  if (!node && dependenciesOf(dag, name).logic) {
    let verdict: "run" | "omit" | "wait";
    try {
      verdict = evaluateDependencies(dag, name);
    } catch (error) {
      return addUnstartedNode(dag, task, name, "Error", userErrorMessage(error));
    }
    if (verdict === "wait") return;
    if (verdict === "omit") return addUnstartedNode(dag, task, name, "Omitted", "omitted: depends condition not met");
  }
  startTask(dag, task);
}

/**
 * Whether a node with these hooks is executed. A hook may wait for a lock that the node holds, so a running node
 * continues. A node that has ended waits for its hooks, unless its exit handler has started.
 */
function mayContinue(dag: Dag, id: string, hooks: HookState): boolean {
  const { nodes } = dag.pass.draft;
  const node = nodes.get(id)!;
  return hooks === "done" || !isFulfilled(node) ||
    isOver(node) && nodes.byName(onExitNodeName(node.name)) !== undefined;
}

function evaluateDependencies(dag: Dag, name: string): "run" | "omit" | "wait" {
  const { pass } = dag;
  const { logic, dependencies } = dependenciesOf(dag, name);
  const results = new Map<string, NodeStatus>();
  for (const dependency of dependencies) {
    const node = taskNode(dag, dependency);
    if (!node || !isFulfilled(node) || !areHooksFulfilled(pass, node)) return "wait";
    results.set(dependency, withResultOfOriginalPod(node));
  }
  const childPhases = (node: NodeStatus) =>
    (node.children ?? []).map((id) => {
      const child = pass.draft.nodes.get(id);
      return child && withResultOfOriginalPod(child).phase;
    });
  return evaluateDepends(logic, results, childPhases) ? "run" : "omit";
}

function areHooksFulfilled(pass: Slice, node: NodeStatus): boolean {
  return (node.children ?? []).every((id) => {
    const child = pass.draft.nodes.get(id);
    return !child?.nodeFlag?.hooked || isFulfilled(child);
  });
}

/** Adds a node for a task that does not run, at the position that the task would have. */
function addUnstartedNode(
  dag: Dag,
  task: DAGTask,
  callName: string,
  phase: "Skipped" | "Omitted" | "Error" | "Failed",
  message: string,
): void {
  const { pass, call, id } = dag;
  if (taskNode(dag, callName)) return;
  addNewNode(pass, {
    name: taskName(dag, callName),
    type: "Skipped",
    phase,
    holder: task,
    scope: call.innerScope,
    boundaryId: id,
    flag: {},
    message,
  });
  addToGraph(dag, task, taskId(dag, callName));
}

/** Ends a task whose references cannot be resolved. */
function endUnresolvedTask(dag: Dag, task: DAGTask, phase: "Error" | "Failed", message: string): void {
  const existing = taskNode(dag, task.name);
  if (!existing) return addUnstartedNode(dag, task, task.name, phase, message);
  if (!isOver(existing)) dag.pass.draft.mark(existing.id, phase, message);
}

/** Facts about references without a value. The dependencies of a task have ended before it starts. */
function referenceFacts(dag: Dag, task: DAGTask): ReferenceFacts {
  const { tasks = [] } = dag.template.dag!;
  const own = loopNameOf(task.name);
  const find = (member: string): Producer | string => {
    const producer = tasks.find(({ name }) => name === member);
    if (!producer) return `there is no task ${member}${didYouMean(member, tasks.map(({ name }) => name))}`;
    if (member === own) return "a task cannot refer to its own outputs";
    if (!ancestryOf(tasks, own, () => undefined).includes(member)) {
      return `task ${own} does not depend on tasks.${member}`;
    }
    const node = taskNode(dag, member);
    return {
      node,
      isLoop: node?.type === "TaskGroup",
      template: () => calledTemplate(dag.pass, producer, dag.call.innerScope),
    };
  };
  return {
    outcomeOf: (name) => outcomeOfReference("tasks", name, find),
    ...inputFacts(dag.pass, task, dag.call.innerScope),
  };
}

/** Adds a node as child of its task group, otherwise of the last nodes of its dependencies, otherwise of the DAG. */
function addToGraph(dag: Dag, task: DAGTask, childId: string): void {
  const { pass, id } = dag;
  const groupId = taskId(dag, task.name);
  // Reads only the type: the node itself would be copied for each added child.
  if (groupId !== childId && pass.draft.nodes.typeOf(groupId) === "TaskGroup") {
    return pass.draft.addChild(groupId, childId);
  }
  const { dependencies } = dependenciesOf(dag, task.name);
  if (dependencies.length === 0) return pass.draft.addChild(id, childId);
  for (const dependency of dependencies) {
    const node = taskNode(dag, dependency);
    for (const parent of node ? outboundNodes(pass, node) : []) pass.draft.addChild(parent, childId);
  }
}

function startTask(dag: Dag, task: DAGTask): void {
  const { pass, call, id } = dag;
  let items: readonly DAGTask[];
  let volumeScope: VolumeScope;
  try {
    const scope = taskScope(dag, task, hasTagsInVolumes(pass) ? undefined : ancestorsNamedBy(task));
    const values = scope.withGlobals(pass.draft.globals);
    volumeScope = volumeScopeOf(pass, call.volumeScope, values);
    const resolved = resolveReferences(task, scope, values, referenceFacts(dag, task));
    if (resolved.kind === "never") return endUnresolvedTask(dag, task, "Error", resolved.message);
    if (resolved.kind === "missing") {
      const forbidden = pass.forbiddenMessage(call.onExit === true);
      if (forbidden !== undefined) return endUnresolvedTask(dag, task, "Failed", forbidden);
      pass.draft.log(`${taskName(dag, task.name)} waits: ${resolved.message}`);
      return;
    }
    items = isLoop(resolved.holder)
      ? expandCalls(pass, taskName(dag, task.name), resolved.holder, values)
      : [resolved.holder];
  } catch (error) {
    return addUnstartedNode(dag, task, task.name, "Error", userErrorMessage(error));
  }

  const hasLoop = isLoop(task);
  if (hasLoop && items.length === 0) return addUnstartedNode(dag, task, task.name, "Skipped", "Skipped, empty params");
  if (hasLoop && !taskNode(dag, task.name)) {
    const group = addNewNode(pass, {
      name: taskName(dag, task.name),
      type: "TaskGroup",
      phase: "Running",
      holder: task,
      scope: call.innerScope,
      boundaryId: id,
      flag: {},
    });
    addToGraph(dag, task, group.id);
  }
  if (!hasLoop) return items[0] && void startOrContinueItem(dag, task, items[0], volumeScope, false);
  const calls = loopCallsOf(pass, items, ({ name }) => taskName(dag, name));
  let isBlocked = false;
  let isHandled = false;
  const areAllVisited = calls.visitDue(pass, (place) => {
    const item = items[place]!;
    const node = isHandled ? taskNode(dag, item.name) : undefined;
    // The running handler of an earlier call is next for the lock that this call waits for.
    if (node && !isFulfilled(node) && node.synchronizationStatus?.waiting) return "blocks";
    const state = startOrContinueItem(dag, task, item, volumeScope, isBlocked);
    if (state === "blocks") {
      isBlocked = true;
      const ended = taskNode(dag, item.name);
      isHandled ||= ended !== undefined && !areHooksFulfilled(pass, ended);
    }
    return state;
  });
  if (!areAllVisited) return void dag.plan.unfinishedLoops.add(taskId(dag, task.name));
  endTaskGroup(dag, task, calls);
}

/**
 * Starts or continues a call of a task. Returns `blocks` if calls and exit handlers that have not started must wait, as
 * a handler may wait for room or for a lock that they would take; `isBlocked` is true if an earlier call returned that.
 * Returns false if all other calls must wait, and `open` if a hook may be due although the node of the call does not
 * change.
 */
function startOrContinueItem(
  dag: Dag,
  task: DAGTask,
  item: DAGTask,
  volumeScope: VolumeScope,
  isBlocked: boolean,
): CallState {
  const { pass, call, id } = dag;
  const existing = taskNode(dag, item.name);
  const isItem = isLoop(task);
  let hooks = "done" as HookState;
  let state: CallState = true;
  if (isItem && existing && item.hooks) {
    const evaluation = pass.evaluate(existing.id, () => hooks = runTaskHooks(dag, item, existing, isBlocked));
    if (isBlocked || !evaluation.isReusable || evaluation.limits.size || evaluation.outside.size) state = "open";
    if (!mayContinue(dag, existing.id, hooks)) return hooks === "failed" || "blocks";
  }
  if (!existing) {
    if (pass.postponesCalls()) return false;
    let mayStart: boolean;
    try {
      mayStart = isWhenTrue(item.when);
    } catch (error) {
      addUnstartedNode(dag, task, item.name, "Error", userErrorMessage(error));
      return !isItem || runItemHooks(dag, item, taskNode(dag, item.name)!, { isBlocked });
    }
    if (!mayStart) {
      addUnstartedNode(dag, task, item.name, "Skipped", `when '${item.when}' evaluated false`);
      return !isItem || runItemHooks(dag, item, taskNode(dag, item.name)!, { isBlocked });
    }
  }
  const outcome = dag.execute({
    nodeName: taskName(dag, item.name),
    holder: item,
    caller: "task",
    scope: call.innerScope,
    arguments: item.arguments,
    boundaryId: id,
    onExit: call.onExit,
    volumeScope,
  });
  // The outcome of a call with retries may be that of an attempt. The task's node is that of the call.
  const taskNodeId = pass.draft.nodes.idOf(taskName(dag, item.name));
  if (outcome.node && !existing) addToGraph(dag, task, taskNodeId);
  if (outcome.kind === "timeout") {
    const { id, phase, message } = outcome.node;
    if (phase === "Error") pass.draft.mark(id, "Failed", message);
    return false;
  }
  if (outcome.kind === "error") {
    pass.draft.markError(taskNodeId, `task '${taskName(dag, item.name)}' errored: ${outcome.message}`);
    return false;
  }
  // A call that requested locks may start as soon as they are granted, and blocks no others.
  if (!outcome.node) return pass.draft.hasRequestedLocks(taskId(dag, item.name)) || "blocks";
  const hasHooksDue = isItem && !(existing && isOver(existing));
  if (isOver(outcome.node) && hasHooksDue) return runItemHooks(dag, item, outcome.node, { isBlocked });
  if (!isCompleted(outcome.node)) return isOver(outcome.node) ? true : state;
  return runItemExitHandler(dag, item, outcome.node, { isBlocked, hooks });
}

/** Runs the hooks and the exit handler of an item of a loop that ended in this pass. */
function runItemHooks(
  dag: Dag,
  item: DAGTask,
  node: NodeStatus,
  { isBlocked }: { readonly isBlocked: boolean },
): CallState {
  const hooks = runTaskHooks(dag, item, node, isBlocked);
  if (!mayContinue(dag, node.id, hooks)) return hooks === "failed" || "blocks";
  return !isCompleted(node) || runItemExitHandler(dag, item, node, { isBlocked, hooks });
}

/** Runs the exit handler of a call that has ended. */
function runItemExitHandler(
  dag: Dag,
  item: DAGTask,
  node: NodeStatus,
  { isBlocked, hooks }: { readonly isBlocked: boolean; readonly hooks: HookState },
): CallState {
  if (isBlocked && !dag.pass.draft.nodes.byName(onExitNodeName(node.name))) return "blocks";
  return runTaskExitHook(dag, item, node) && hooks !== "running" || "blocks";
}

/** Ends the node of a loop when its last item has ended. */
function endTaskGroup(dag: Dag, task: DAGTask, calls: LoopCalls): void {
  const nodes = calls.nodes(dag.pass);
  if (!nodes.every((node) => node && isFulfilled(node))) return;
  const failed = nodes.filter((node) => isFailure(node!.phase)).at(-1);
  const message = failed && failureOfTask(dag.pass.draft.nodes, failed.displayName ?? failed.name, failed);
  dag.pass.draft.mark(taskId(dag, task.name), failed?.phase ?? "Succeeded", message ?? "");
}

/** The call of the hooks of a task or of an item. */
function hookCallOf(dag: Dag, task: DAGTask, node: NodeStatus, hooks: object): Omit<HookCall, "hook"> {
  const { execute, id, call } = dag;
  return {
    execute,
    scope: taskScope(dag, task, ancestorsNamedByHooks(hooks)),
    outcomeOf: referenceFacts(dag, task).outcomeOf,
    root: "tasks",
    boundaryId: id,
    templateScope: call.innerScope,
    onExit: call.onExit === true,
    parent: node,
    holder: task,
  };
}

/** The state of the hooks of a node. `running` includes waiting hooks; `failed` means that one failed the node. */
type HookState = "done" | "running" | "failed";

/** Starts the hooks of a task or item that are due. */
function runTaskHooks(dag: Dag, task: DAGTask, node: NodeStatus, isBlocked = false): HookState {
  if (!task.hooks || !isFulfilled(node) && node.phase !== "Running") return "done";
  try {
    return runHooks(dag.pass, { ...hookCallOf(dag, task, node, task.hooks), hooks: task.hooks, isBlocked })
      ? "done"
      : "running";
  } catch (error) {
    dag.pass.draft.markError(node.id, userErrorMessage(error));
    return "failed";
  }
}

/** Runs the exit handler of a task that has ended. Returns true if no handler is running. */
function runTaskExitHook(dag: Dag, task: DAGTask, node: NodeStatus): boolean {
  const hook = exitHookOf(task, dag.pass.draft.spec.arguments);
  if (!hook) return true;
  try {
    const exit = runExitHook(dag.pass, { ...hookCallOf(dag, task, node, hook), hook });
    return !exit || Boolean(exit.node && isFulfilled(exit.node));
  } catch (error) {
    if (error instanceof ExitHookError) {
      // The task has ended and keeps its phase, as in Argo. The node of the handler shows the error.
      failExitHook(dag.pass, { ...hookCallOf(dag, task, node, hook), hook }, error.message);
      return true;
    }
    dag.pass.draft.markError(node.id, userErrorMessage(error));
    return false;
  }
}

/**
 * The values and artifacts to which a task may refer: the DAG's inputs, the outputs of the workflow so far, and those
 * of the ancestors that `isWanted` selects. Later ancestors take precedence.
 */
function taskScope(dag: Dag, task: DAGTask, isWanted: (ancestor: string) => boolean = () => true): Scope {
  const scope = newScope(dag.pass, dag.template);
  const finishedAt = (name: string) => {
    const node = taskNode(dag, name);
    return node?.finishedAt ?? node?.startedAt ?? "";
  };
  if (!isWanted("")) return scope;
  for (const ancestor of ancestryOf(dag.template.dag!.tasks!, loopNameOf(task.name), finishedAt)) {
    if (isWanted(ancestor)) addTaskToScope(dag, scope, ancestor);
  }
  return scope;
}

/**
 * Returns a predicate for the ancestors to which a task may refer: those whose name is in its text. It is false for all
 * ancestors if the task has no tags, and true for all if an expression could construct a name.
 */
function ancestorsNamedBy({ dependencies: _, depends: __, ...task }: DAGTask): (ancestor: string) => boolean {
  const text = JSON.stringify(task);
  if (text.includes("{{=") || text.includes("Expression")) return () => true;
  return text.includes("{{") ? (ancestor) => text.includes(ancestor) : () => false;
}

/**
 * Returns a predicate for the ancestors to which hooks may refer: all, unless each reference names its task literally.
 */
function ancestorsNamedByHooks(hooks: object): (ancestor: string) => boolean {
  const text = JSON.stringify(hooks);
  if (/\$env|tasks/.test(text.replaceAll(TASK_REFERENCE, ""))) return () => true;
  return (ancestor) => text.includes(ancestor);
}

/** The start of a reference to a task in JSON: `tasks.NAME` or `tasks["NAME"]`. */
const TASK_REFERENCE = /tasks(?=\.\w|\[(?:'[\w-]+'|\\"[\w-]+\\")\])/g;

function addTaskToScope(dag: Dag, scope: Scope, name: string): void {
  const { pass } = dag;
  const node = taskNode(dag, name);
  if (!node) return;
  const template = () => calledTemplate(pass, dag.plan.tasks.get(name)!, dag.call.innerScope);
  if (node.type === "TaskGroup") {
    const calls = childrenOfLoop(pass, dag.id, node.name);
    aggregateLoop(scope, "tasks", name, node.name, calls);
    const called = calls.every(({ phase }) => isSkippedOrOmitted(phase)) ? template() : undefined;
    if (called) addSkippedLoop(scope, "tasks", name, called);
  }
  addNodeOutputs(pass, scope, "tasks", name, node);
  if (node.outputs || !isSkippedOrOmitted(withResultOfOriginalPod(node).phase)) return;
  const called = template();
  if (called) addSkippedOutputs({ scope, root: "tasks", name, node, template: called });
}

function outputScope(dag: Dag): Scope {
  const scope = newScope(dag.pass, dag.template);
  for (const task of dag.template.dag?.tasks ?? []) addTaskToScope(dag, scope, task.name);
  return scope;
}

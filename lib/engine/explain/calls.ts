/** Calls without a node: tasks of a DAG, step groups and steps that have not started. */
import type { DAGTask, NodeStatus, WorkflowStep } from "@tiphys/model/api";
import { listText } from "@tiphys/base/count_text";
import {
  groupNodeName,
  isCompletedPhase,
  isExitHandler,
  isFulfilled,
  memberNodeName,
  storedTemplateOf,
} from "@tiphys/model/status";
import { isLoop } from "@tiphys/model/templates";
import { dependsLogic } from "@tiphys/language/template/depends";
import { references } from "@tiphys/language/template/references";
import { type ExplainInput, type NodeCheck, refOfNode } from "./explain_input.ts";
import { BY_ITSELF, type Reason, reason } from "./reason.ts";

/** Tasks of a DAG that have no node yet. */
export const checkTasks: NodeCheck = (input, node) => {
  const tasks = storedTemplateOf(input.workflow, node)?.dag?.tasks;
  if (!tasks) return [];
  return tasks.flatMap((task) => {
    const name = memberNodeName(node.name, task.name);
    const existing = input.byName.get(name);
    if (existing) return reasonsOfLoop(input, node, existing, task);
    return reasonOfTask(input, node, tasks, task, name);
  });
};

function reasonOfTask(
  input: ExplainInput,
  dag: NodeStatus,
  tasks: readonly DAGTask[],
  task: DAGTask,
  name: string,
): readonly Reason[] {
  const dependencies = dependenciesOf(tasks, task.name).map((dependency) => {
    const nodeName = memberNodeName(dag.name, dependency);
    return { dependency, node: input.byName.get(nodeName), ref: refOfNode({ name: nodeName }) };
  });
  const open = dependencies.filter(({ node }) => !node || !isFulfilled(node));
  if (open.length) {
    const texts = open.map(({ dependency, node }) => node ? `${dependency} (${node.phase})` : dependency);
    return [reason("Depends", {
      node: name,
      since: dag.startedAt,
      text: `waits for ${listText(texts)}`,
      blocks: open.map(({ ref }) => ref),
      unblock: `wait for ${listText(open.map(({ dependency }) => dependency))}`,
    })];
  }
  const hooks = dependencies.flatMap(({ dependency, node }) =>
    openHooksOf(input, node).map((hook) => ({ dependency, hook }))
  );
  if (hooks.length) {
    const texts = hooks.map(({ dependency, hook }) => `hook ${hookName(hook)} of ${dependency}`);
    return [reason("DependsHooks", {
      node: name,
      since: dag.startedAt,
      text: `waits for ${listText(texts)}`,
      blocks: hooks.map(({ hook }) => refOfNode(hook)),
      unblock: "wait for the hook",
    })];
  }
  return reasonOfCall(input, dag, task, name, "tasks");
}

function dependenciesOf(tasks: readonly DAGTask[], name: string): readonly string[] {
  try {
    return dependsLogic(tasks, name).dependencies;
  } catch {
    return []; // an invalid `depends` is reported by the node or by validation
  }
}

/** The name of a hook in the spec. */
function hookName({ name }: NodeStatus): string {
  return isExitHandler(name) ? "exit" : name.slice(name.lastIndexOf(".hooks.") + ".hooks.".length);
}

function openHooksOf(input: ExplainInput, node: NodeStatus | undefined): NodeStatus[] {
  return (node?.children ?? []).flatMap((id) => {
    const child = input.nodes.get(id);
    return child?.nodeFlag?.hooked && !isFulfilled(child) ? [child] : [];
  });
}

/** Groups of steps that have no node yet. */
export const checkGroups: NodeCheck = (input, node) => {
  const groups = storedTemplateOf(input.workflow, node)?.steps ?? [];
  return groups.flatMap((steps, index) => {
    const name = groupNodeName(node.name, index);
    if (index === 0 || input.byName.has(name)) return [];
    return [reason("Group", {
      node: name,
      since: node.startedAt,
      text: `waits for step group [${index - 1}]`,
      blocks: [refOfNode({ name: groupNodeName(node.name, index - 1) })],
      unblock: `wait for the steps before ${listText(steps.map((step) => step.name ?? ""))}`,
    })];
  });
};

/** Steps of a running group that have no node yet, and loops that have not started all of their nodes. */
export const checkSteps: NodeCheck = (input, node) => {
  const holder = input.nodes.get(node.boundaryID ?? "");
  const index = Number(/\[(\d+)\]$/.exec(node.name)?.[1]);
  const steps = holder && storedTemplateOf(input.workflow, holder)?.steps?.[index];
  if (!holder || !steps) return [];
  return steps.flatMap((step) => {
    const name = memberNodeName(node.name, step.name ?? "");
    const existing = input.byName.get(name) ?? firstOfLoop(input, node, name);
    return existing ? reasonsOfLoop(input, holder, existing, step) : reasonOfCall(input, holder, step, name, "steps");
  });
};

function firstOfLoop(input: ExplainInput, group: NodeStatus, name: string): NodeStatus | undefined {
  for (const id of group.children ?? []) {
    const child = input.nodes.get(id);
    if (child?.name.startsWith(`${name}(`)) return child;
  }
  return undefined;
}

/** The reason of a loop whose other nodes wait because a limit on parallel nodes is reached. */
function reasonsOfLoop(
  input: ExplainInput,
  holder: NodeStatus,
  existing: NodeStatus,
  call: DAGTask | WorkflowStep,
): readonly Reason[] {
  if (!isLoop(call) || isCompletedPhase(existing.phase) && existing.type === "TaskGroup") return [];
  const limit = parallelismLimit(input, holder);
  return limit ? [reason("Slots", { ...limit, node: memberNodeName(parentName(existing), call.name ?? "") })] : [];
}

function parentName({ name, displayName = "" }: NodeStatus): string {
  return name.endsWith(`.${displayName}`) ? name.slice(0, -displayName.length - 1) : name;
}

/** The reason of a call whose dependencies are fulfilled. */
function reasonOfCall(
  input: ExplainInput,
  holder: NodeStatus,
  call: DAGTask | WorkflowStep,
  name: string,
  root: "steps" | "tasks",
): readonly Reason[] {
  const missing = missingReference(input, holder, call, root);
  if (missing) {
    const { tag, task, isRunning } = missing;
    return [reason(isRunning ? "Address" : "Reference", {
      node: name,
      since: holder.startedAt,
      text: `{{${tag}}} has no value yet: ${task} ${isRunning ? "is running, but has no address" : "has not run"}`,
      blocks: [refOfNode({ name: memberNodeName(holder.name, task) })],
      unblock: isRunning ? `wait for the address of the pod of ${task}` : `let ${task} run first, and output it`,
    })];
  }
  const limit = parallelismLimit(input, holder);
  if (limit) return [reason("Slots", { ...limit, node: name })];
  // If no limit on pods is known, the call has no reason to wait: the controller is about to start it, or has missed
  // it.
  if (input.evidence.maxPodRequests === undefined || input.workflow.spec.suspend) return [];
  return [reason("PodRoom", {
    node: name,
    since: holder.startedAt,
    text: `${requestedPods(input)} pods are being requested; this one is next`,
    unblock: BY_ITSELF,
  })];
}

/** The number of nodes whose pod has been requested and is not running. */
function requestedPods({ nodes }: ExplainInput): number {
  let count = 0;
  for (const { type, phase } of nodes.values()) if (type === "Pod" && phase === "Pending") count++;
  return count;
}

/**
 * A tag of the call that refers to a step or task that has not run, or to the address of a daemon that has no address
 * yet.
 */
function missingReference(
  input: ExplainInput,
  holder: NodeStatus,
  { depends: _, dependencies: __, ...call }: DAGTask & WorkflowStep,
  root: "steps" | "tasks",
): { readonly tag: string; readonly task: string; readonly isRunning: boolean } | undefined {
  let found: readonly { readonly name: string; readonly optional: boolean }[];
  try {
    found = references(call);
  } catch {
    return undefined;
  }
  for (const { name: tag, optional } of found) {
    const [kind, task = "", field] = tag.split(".");
    if (kind !== root || task === "" || optional) continue;
    const node = nodeOf(input, holder, task);
    if (!node) return { tag, task, isRunning: false };
    if (field === "ip" && node.daemoned && !node.podIP) return { tag, task, isRunning: true };
  }
  return undefined;
}

/** Returns the node of a step or task of a steps or DAG node. For a loop, returns the first of its nodes. */
function nodeOf(input: ExplainInput, holder: NodeStatus, task: string): NodeStatus | undefined {
  if (holder.type === "DAG") return input.byName.get(memberNodeName(holder.name, task));
  for (const [name, node] of input.byName) {
    if (!name.startsWith(`${holder.name}[`)) continue;
    const rest = name.slice(name.indexOf("]", holder.name.length) + 1);
    if (rest === `.${task}` || rest.startsWith(`.${task}(`)) return node;
  }
  return undefined;
}

/**
 * The limit on parallel nodes that is reached, of the workflow or of the template with the call; undefined otherwise.
 */
function parallelismLimit(input: ExplainInput, holder: NodeStatus) {
  const template = storedTemplateOf(input.workflow, holder);
  const siblings = input.openIn.get(holder.id) ?? [];
  return limitOf(input.spec.parallelism, activePods(input), "the workflow's parallelism", holder) ??
    limitOf(
      template?.parallelism,
      siblings.filter(({ type }) => type !== "StepGroup" && type !== "TaskGroup"),
      "template parallelism",
      holder,
    );
}

function limitOf(limit: number | undefined, active: readonly NodeStatus[], subject: string, holder: NodeStatus) {
  if (!limit || active.length < limit) return undefined;
  return {
    since: holder.startedAt,
    text: `${subject} ${limit} is used by ${listText(active.map(({ name, displayName }) => displayName ?? name))}`,
    blocks: active.map(refOfNode),
    unblock: "wait for one of them to end, or raise the parallelism",
  };
}

function activePods({ nodes, evidence }: ExplainInput): NodeStatus[] {
  return [...nodes.values()].filter((node) =>
    node.type === "Pod" && (node.phase === "Pending" || node.phase === "Running") &&
    (evidence.pods === undefined || evidence.pods.has(node.id))
  );
}

/**
 * Steps: a list of groups; the steps of a group run side by side, the next group starts when all of them are over
 * (features T-30 to T-34).
 */
import type { NodeStatus, Template, WorkflowStep } from "../../lib/api/mod.ts";
import { aggregateLoop, childrenOfLoop } from "./aggregate.ts";
import type { Execute, Outcome, ReadyCall } from "./call.ts";
import { continuesOn } from "./continue_on.ts";
import { endDaemons } from "./daemons.ts";
import { exitHookOf, runExitHook, runHooks } from "./hooks.ts";
import { expand, mayExecute, resolveReferences, shouldExpand } from "./references.ts";
import { addNewNode } from "./new_node.ts";
import { isCompleted, isFailure, isFulfilled, isOver } from "./node_state.ts";
import { outboundNodes } from "./outbound.ts";
import { templateOutputs } from "./outputs.ts";
import type { Pass } from "./pass.ts";
import { messageOf } from "./user_error.ts";
import { addNode, addSkippedOutputs, newScope, Scope } from "./scope.ts";
import { exportOutputs } from "./global_outputs.ts";
import { Roster, rosterOf } from "./roster.ts";
import { resolveTemplate } from "./templates.ts";

/** A group of steps that came to a good end. */
interface EndedGroup {
  readonly rosters: readonly Roster[];
  /** What it offers to those after it. */
  readonly offers: Scope;
}

/** By node ID. */
const endedGroups = () => new Map<string, EndedGroup>();

/** Runs a steps template. */
export function runSteps(pass: Pass, call: ReadyCall, execute: Execute): Outcome {
  const node = pass.nodes.byName(call.nodeName) ?? addNewNode(pass, {
    name: call.nodeName,
    type: "Steps",
    phase: "Running",
    holder: call.holder,
    scope: call.scope,
    boundaryId: call.boundaryId,
    flag: call.flag,
    template: call.template,
  });
  const outcome = runGroups(pass, call, node.id, execute);
  if (pass.isOver(node.id)) endDaemons(pass, node.id);
  return outcome;
}

function runGroups(pass: Pass, call: ReadyCall, id: string, execute: Execute): Outcome {
  const scope = newScope(pass, call.template);
  const groups = call.template.steps ?? [];
  for (const [index, steps] of groups.entries()) {
    const groupName = `${call.nodeName}[${index}]`;
    addGroup(pass, call, id, index);
    const ended = endedGroup(pass, groupName);
    if (ended) {
      scope.add(ended.offers);
      continue;
    }
    const rosters: Roster[] = [];
    const group = runGroup(pass, call, id, groupName, steps, scope, rosters, execute);
    if (!isFulfilled(group)) return { kind: "node", node: pass.nodes.get(id)! };
    if (isFailure(group.phase)) {
      setOutbound(pass, call, id);
      return { kind: "node", node: pass.mark(id, "Failed", group.message ?? "") };
    }
    const offers = new Scope();
    for (const step of steps) addStepToScope(pass, call, id, groupName, step, offers);
    scope.add(offers);
    if (!steps.some(hasHooks(pass))) pass.memory.part(endedGroups).set(group.id, { rosters, offers });
  }
  setOutbound(pass, call, id);
  const outputs = templateOutputs(call.template, scope);
  if (outputs) {
    pass.nodes.update(id, { outputs });
    exportOutputs(pass, outputs);
  }
  return { kind: "node", node: pass.mark(id, "Succeeded") };
}

/** The node of a group hangs below the steps node, or below whatever the group before it led to. */
function addGroup(pass: Pass, call: ReadyCall, id: string, index: number): void {
  const name = `${call.nodeName}[${index}]`;
  const existing = pass.nodes.byName(name);
  if (existing) return;
  const group = addNewNode(pass, {
    name,
    type: "StepGroup",
    phase: "Running",
    holder: {},
    scope: call.innerScope,
    boundaryId: id,
    flag: {},
  });
  if (index === 0) return pass.nodes.addChild(id, group.id);
  const previous = pass.nodes.byName(`${call.nodeName}[${index - 1}]`)!;
  const parents = (previous.children ?? []).flatMap((child) => outboundNodes(pass, pass.nodes.get(child)!));
  // A group without nodes (a loop over nothing) is itself the way on.
  for (const parent of parents.length ? parents : [previous.id]) pass.nodes.addChild(parent, group.id);
}

/** What is known of a group that came to a good end, as long as nothing changes in it. */
function endedGroup(pass: Pass, groupName: string): EndedGroup | undefined {
  const group = pass.nodes.byName(groupName)!;
  const ended = pass.memory.part(endedGroups).get(group.id);
  if (!ended || !isFulfilled(group)) return undefined;
  return pass.awake && !ended.rosters.some((roster) => roster.isTouched(pass.awake!)) ? ended : undefined;
}

/** Runs a group; the calls it makes are added to `rosters`. */
function runGroup(
  pass: Pass,
  call: ReadyCall,
  boundaryId: string,
  groupName: string,
  steps: readonly WorkflowStep[],
  scope: Scope,
  rosters: Roster[],
  execute: Execute,
): NodeStatus {
  const group = pass.nodes.byName(groupName)!;
  if (isFulfilled(group) && pass.childrenFulfilled(group)) {
    rosters.push(new Roster(group.children ?? []));
    return group;
  }

  const parts: (readonly WorkflowStep[])[] = [];
  const values = scope.over(pass.globals);
  try {
    for (const step of steps) {
      const resolved = resolveReferences(step, scope, values);
      if (resolved.kind === "missing") {
        pass.notes.push(`${groupName}.${step.name} waits: ${resolved.message}`);
        return group;
      }
      parts.push(expandStep(pass, call, boundaryId, group, resolved.holder, values));
    }
  } catch (error) {
    return pass.markError(group.id, messageOf(error));
  }

  for (const items of parts) {
    const roster = rosterOf(pass, items, ({ name }) => `${groupName}.${name}`);
    rosters.push(roster);
    let ended: NodeStatus | undefined;
    const wentOn = roster.walk(pass, (place) => {
      const step = items[place];
      ended = startStep(pass, call, boundaryId, group, step, `${groupName}.${step.name}`, execute);
      return ended === undefined;
    });
    if (!wentOn) return ended!;
  }
  return judgeGroup(pass, call, boundaryId, group.id, parts, rosters, scope, execute);
}

function expandStep(
  pass: Pass,
  call: ReadyCall,
  boundaryId: string,
  group: NodeStatus,
  step: WorkflowStep,
  values: ReadonlyMap<string, string | null>,
): readonly WorkflowStep[] {
  if (!shouldExpand(step)) return [step];
  const name = `${group.name}.${step.name}`;
  const expanded = expand(pass, pass.nodes.idOf(name), step, values);
  if (expanded.length === 0 && !pass.nodes.byName(name)) {
    const skipped = addNewNode(pass, {
      name,
      type: "Skipped",
      phase: "Skipped",
      holder: step,
      scope: call.innerScope,
      boundaryId,
      flag: {},
      message: "Skipped, empty params",
    });
    pass.nodes.addChild(group.id, skipped.id);
  }
  return expanded;
}

/** Starts or continues a step. Returns the group when it is over because of that. */
function startStep(
  pass: Pass,
  call: ReadyCall,
  boundaryId: string,
  group: NodeStatus,
  step: WorkflowStep,
  childName: string,
  execute: Execute,
): NodeStatus | undefined {
  const childId = pass.nodes.idOf(childName);
  const existing = pass.nodes.get(childId);
  const skipped = { name: childName, holder: step, scope: call.innerScope, boundaryId, flag: {} };
  if (!existing || !isOver(existing)) {
    let proceed: boolean;
    try {
      proceed = mayExecute(step.when);
    } catch (error) {
      if (!existing) {
        addNewNode(pass, { ...skipped, type: "Skipped", phase: "Error", message: messageOf(error) });
        pass.nodes.addChild(group.id, childId);
      }
      return pass.markError(group.id, messageOf(error));
    }
    if (!proceed) {
      if (!existing) {
        addNewNode(pass, {
          ...skipped,
          type: "Skipped",
          phase: "Skipped",
          message: `when '${step.when}' evaluated false`,
        });
        pass.nodes.addChild(group.id, childId);
      }
      return undefined;
    }
  }
  const outcome = execute(pass, {
    nodeName: childName,
    holder: step,
    caller: "step",
    scope: call.innerScope,
    arguments: step.arguments,
    boundaryId,
    onExit: call.onExit,
  });
  if (outcome.node) pass.nodes.addChild(group.id, childId);
  if (outcome.kind === "timeout") return pass.mark(group.id, "Failed", "timeout");
  if (outcome.kind === "error") {
    return pass.markError(
      group.id,
      `step group deemed errored due to child ${childName} error: ${outcome.message}`,
    );
  }
  return undefined;
}

/** Hooks first, then the phases of the children. */
function judgeGroup(
  pass: Pass,
  call: ReadyCall,
  boundaryId: string,
  groupId: string,
  parts: readonly (readonly WorkflowStep[])[],
  rosters: readonly Roster[],
  scope: Scope,
  execute: Execute,
): NodeStatus {
  const children = () => (pass.nodes.get(groupId)!.children ?? []).map((id) => pass.nodes.get(id)!);
  const isHooked = parts.some(([step]) => step && hasHooks(pass)(step));
  if (!isHooked && !allFulfilled(pass, groupId)) return reopen(pass, groupId);
  const stepOf = stepsByNode(pass, parts, rosters);
  let completed = true;
  for (const child of isHooked ? children() : []) {
    const step = stepOf.get(child.id);
    const hookCall = { scope, root: "steps" as const, boundaryId, templateScope: call.innerScope, execute };
    if (step?.hooks) {
      scope.values.set(`steps.${child.displayName}.status`, child.phase ?? "");
      try {
        if (!runHooks(pass, { ...hookCall, hooks: step.hooks, parent: child, name: step.name })) {
          return pass.nodes.get(groupId)!;
        }
      } catch (error) {
        return pass.markError(groupId, messageOf(error));
      }
    }
    if (!isFulfilled(child)) completed = false;
    else if (isCompleted(child) && step) {
      const hook = exitHookOf(step, pass.spec.arguments);
      try {
        const exitNode = hook && runExitHook(pass, { ...hookCall, hook, parent: child, name: step.name });
        if (exitNode && !(exitNode.node && isFulfilled(exitNode.node))) completed = false;
      } catch (error) {
        return pass.markError(groupId, messageOf(error));
      }
    }
  }
  if (!completed) return reopen(pass, groupId);

  for (const child of children()) {
    const step = stepOf.get(child.id);
    if (isFailure(child.phase) && !continuesOn(step, child.phase)) {
      return pass.mark(groupId, "Failed", `child '${child.id}' failed`);
    }
  }
  return pass.mark(groupId, "Succeeded");
}

function hasHooks(pass: Pass): (step: WorkflowStep) => boolean {
  return (step) => Boolean(step.hooks || exitHookOf(step, pass.spec.arguments));
}

/** Where, among the children of a group, the first was that is not over; by the group's node ID. */
const lastOpenChildren = () => new Map<string, number>();

/** Looks first where one was not over the last time. */
function allFulfilled(pass: Pass, groupId: string): boolean {
  const lastOpenChild = pass.memory.part(lastOpenChildren);
  const children = pass.nodes.get(groupId)!.children ?? [];
  const isOpen = (id: string) => !isFulfilled(pass.nodes.get(id)!);
  const last = lastOpenChild.get(groupId) ?? 0;
  if (last < children.length && isOpen(children[last])) return false;
  const next = children.findIndex((id, place) => place > last && isOpen(id));
  const open = next >= 0 ? next : children.findIndex(isOpen);
  if (open >= 0) lastOpenChild.set(groupId, open);
  return open < 0;
}

/** A group that is not over runs, whatever it was taken for before. */
function reopen(pass: Pass, groupId: string): NodeStatus {
  const group = pass.nodes.get(groupId)!;
  return isFulfilled(group) ? pass.mark(groupId, "Running") : group;
}

/** The step that each node came from. */
function stepsByNode(
  pass: Pass,
  parts: readonly (readonly WorkflowStep[])[],
  rosters: readonly Roster[],
): ReadonlyMap<string, WorkflowStep> {
  const found = new Map<string, WorkflowStep>();
  for (const [index, items] of parts.entries()) {
    const { ids } = rosters[index];
    for (const [place, step] of items.entries()) if (pass.nodes.get(ids[place])) found.set(ids[place], step);
  }
  return found;
}

function addStepToScope(
  pass: Pass,
  call: ReadyCall,
  boundaryId: string,
  groupName: string,
  step: WorkflowStep,
  scope: Scope,
): void {
  const childName = `${groupName}.${step.name}`;
  const child = pass.nodes.byName(childName);
  if (child) {
    addNode(pass, scope, "steps", step.name, child);
    if (child.phase === "Skipped") {
      const template = templateOf(pass, call, step);
      if (template) addSkippedOutputs({ scope, root: "steps", name: step.name, node: child, template });
    }
    return;
  }
  const items = childrenOfLoop(pass, boundaryId, childName).filter((node) => node.type !== "Skipped");
  if (items.length) aggregateLoop(scope, "steps", step.name, childName, items);
  addNode(pass, scope, "steps", step.name, pass.nodes.byName(groupName)!);
}

function templateOf(pass: Pass, call: ReadyCall, step: WorkflowStep): Template | undefined {
  try {
    return resolveTemplate(pass, step, call.innerScope).template;
  } catch {
    return undefined; // A skipped step may name a template that is not there.
  }
}

function setOutbound(pass: Pass, call: ReadyCall, id: string): void {
  const groups = (call.template.steps ?? []).map((_, index) => pass.nodes.byName(`${call.nodeName}[${index}]`));
  const last = groups.filter((group) => group !== undefined).at(-1);
  const outbound = (last?.children ?? []).flatMap((child) => outboundNodes(pass, pass.nodes.get(child)!));
  pass.nodes.update(id, { outboundNodes: outbound });
}

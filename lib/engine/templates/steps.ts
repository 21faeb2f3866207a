/** Steps: a list of groups. The steps of a group run in parallel; the next group starts when all of them have ended. */
import { UserError } from "@tiphys/base/user_error";
import { didYouMean, type NodeStatus, type WorkflowStep } from "@tiphys/model/api";
import {
  asSeenByOthers,
  groupNodeName,
  isCompleted,
  isFailure,
  isFulfilled,
  isOver,
  lastAttempt,
  memberNodeName,
  onExitNodeName,
} from "@tiphys/model/status";
import { isLoop } from "@tiphys/model/templates";
import { aggregateLoop, childrenOfLoop } from "./aggregate.ts";
import { type Execute, type Outcome, type ReadyCall, runningNode } from "./call.ts";
import { continuesOn } from "./continue_on.ts";
import { endDaemons } from "./daemons.ts";
import { failureOfStep } from "./failure_message.ts";
import { endBelow } from "./left_behind.ts";
import { ExitHookError, exitHookOf, runExitHook, runHooks } from "./hooks.ts";
import {
  calledTemplate,
  expand,
  knownInputs,
  type KnownReferences,
  mayExecute,
  resolveReferences,
  type ResolveResult,
} from "./references.ts";
import { fateOfReference, type Producer } from "./reference_fate.ts";
import { addNewNode } from "../nodes/new_node.ts";
import { outboundNodes } from "../nodes/outbound.ts";
import { knownTemplate } from "./parallelism.ts";
import { templateOutputs } from "./outputs.ts";
import type { Draft } from "../draft.ts";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import { messageOf } from "../user_error.ts";
import { addNode, addSkippedLoop, addSkippedOutputs, newScope, Scope } from "./scope.ts";
import { exportOutputs } from "../spec/global_outputs.ts";
import { callsOfLoop, LoopCalls } from "./loop_calls.ts";
import { volumeScopeOf } from "../spec/volumes.ts";

/** A group of steps that succeeded. */
interface EndedGroup {
  readonly loops: readonly LoopCalls[];
  /** The values and artifacts that its steps provide for later groups. */
  readonly offers: Scope;
}

/** A group of which all steps have begun, as far as they can. */
interface StartedGroup {
  readonly boundaryId: string;
  readonly groupId: string;
  readonly steps: readonly WorkflowStep[];
  /** The items of each step; of a step without a loop the step itself. */
  readonly parts: readonly (readonly WorkflowStep[])[];
  /** The calls of each part. */
  readonly loops: readonly LoopCalls[];
  /** The names of the nodes of steps whose references can never be resolved. Their group ends with an error, as in Argo. */
  readonly unresolved: ReadonlySet<string>;
}

/** The groups that succeeded, by node ID. */
const endedGroups = () => new Map<string, EndedGroup>();

/** Runs a steps template. */
export function runSteps(pass: Slice<Draft>, call: ReadyCall, execute: Execute): Outcome {
  const node = runningNode(pass, call, "Steps");
  const outcome = runGroups(pass, call, node.id, execute);
  if (pass.isOver(node.id)) {
    endDaemons(pass, node.id);
    endBelow(pass, node.id);
  }
  return outcome;
}

function runGroups(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  call: ReadyCall,
  id: string,
  execute: Execute,
): Outcome {
  const scope = newScope(pass, call.template);
  const groups = call.template.steps ?? [];
  const isRunning = () => ({ kind: "node", node: pass.draft.nodes.get(id)! }) as const;
  // A group that has ended runs again if one of its daemons fails. Later groups that have started continue: an exit handler
  // of the daemon may wait for a lock that they hold.
  let isReopened = false;
  for (const [index, steps] of groups.entries()) {
    const groupName = groupNodeName(call.nodeName, index);
    if (!pass.draft.nodes.byName(groupName) && (isReopened || pass.putsOff())) return isRunning();
    addGroup(pass, call, id, index);
    const ended = endedGroup(pass, groupName);
    if (ended) {
      scope.add(ended.offers);
      continue;
    }
    const loops: LoopCalls[] = [];
    let group: NodeStatus;
    try {
      group = runGroup(pass, call, id, groupName, steps, scope, loops, execute);
    } catch (error) {
      if (!(error instanceof ExitHookError)) throw error;
      return endByExitHook(pass, call, id, pass.draft.markError(pass.draft.nodes.byName(groupName)!.id, error.message));
    }
    if (!isFulfilled(group)) {
      if (!pass.draft.nodes.byName(groupNodeName(call.nodeName, index + 1))) return isRunning();
      isReopened = true;
    }
    if (isFailure(group.phase)) {
      setOutbound(pass, call, id);
      return { kind: "node", node: pass.draft.mark(id, "Failed", failureMessage(pass, group)) };
    }
    const offers = new Scope();
    for (const step of steps) addStepToScope(pass, call, id, groupName, step, offers);
    scope.add(offers);
    if (!isReopened && !steps.some(hasHooks(pass))) pass.cache(endedGroups).set(group.id, { loops, offers });
  }
  if (isReopened) return isRunning();
  setOutbound(pass, call, id);
  const outputs = templateOutputs(call.template, scope);
  if (outputs) {
    pass.draft.update(id, { outputs });
    exportOutputs(pass, outputs);
  }
  return { kind: "node", node: pass.draft.mark(id, "Succeeded") };
}

/** The message of a group that ended because of an error of a step or of a step's exit handler. */
function messageOfChild(name: string, message: string): string {
  return `step group deemed errored due to child ${name} error: ${message}`;
}

/** The message of a steps node that failed because of a group: the group's, with details of the step that it names. */
function failureMessage(pass: Slice, { message = "" }: NodeStatus): string {
  const id = /^child '(\S+)' failed$/.exec(message)?.[1];
  const step = id === undefined ? undefined : pass.draft.nodes.get(id);
  return step ? failureOfStep(pass.draft.nodes, step) : message;
}

/**
 * Fails a steps node because of an exit handler that cannot be run. In the entry template, the outcome is the group, as in
 * Argo: the workflow and its entry node end with the group's error.
 */
function endByExitHook(pass: Slice<NodesDraft>, call: ReadyCall, id: string, group: NodeStatus): Outcome {
  if (call.nodeName === pass.name) return { kind: "node", node: group };
  setOutbound(pass, call, id);
  return { kind: "node", node: pass.draft.mark(id, "Failed", group.message) };
}

/** Adds the node of a group as a child of the steps node, or of the last nodes of the previous group. */
function addGroup(pass: Slice<NodesDraft>, call: ReadyCall, id: string, index: number): void {
  const name = groupNodeName(call.nodeName, index);
  const existing = pass.draft.nodes.byName(name);
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
  if (index === 0) return pass.draft.addChild(id, group.id);
  const previous = pass.draft.nodes.byName(groupNodeName(call.nodeName, index - 1))!;
  const parents = (previous.children ?? []).flatMap((child) => outboundNodes(pass, pass.draft.nodes.get(child)!));
  // A group without nodes (an empty loop) is the parent itself.
  for (const parent of parents.length ? parents : [previous.id]) pass.draft.addChild(parent, group.id);
}

/**
 * The record of a group that succeeded; undefined for any other, and if a node in it may have changed.
 */
function endedGroup(pass: Slice, groupName: string): EndedGroup | undefined {
  const group = pass.draft.nodes.byName(groupName)!;
  const ended = pass.cache(endedGroups).get(group.id);
  if (!ended || !isFulfilled(group)) return undefined;
  return pass.awake && !ended.loops.some((calls) => calls.isTouched(pass)) ? ended : undefined;
}

/** Runs a group, and adds its calls to `loops`. */
function runGroup(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  call: ReadyCall,
  boundaryId: string,
  groupName: string,
  steps: readonly WorkflowStep[],
  scope: Scope,
  loops: LoopCalls[],
  execute: Execute,
): NodeStatus {
  const group = pass.draft.nodes.byName(groupName)!;
  if (
    isFulfilled(group) && !hasDeadDaemon(pass, group) &&
    (pass.childrenFulfilled(group) || onlyDaemonsAreOpen(pass, group))
  ) {
    loops.push(new LoopCalls(pass, group.children ?? []));
    return group;
  }

  const parts: (readonly WorkflowStep[])[] = [];
  const unresolved = new Set<string>();
  const values = scope.over(pass.draft.globals);
  for (const step of steps) {
    try {
      const resolved = resolveOfGroup(step, scope, values, knownReferences(pass, call, boundaryId, steps, step));
      if (resolved.kind === "ready") {
        parts.push(expandStep(pass, call, boundaryId, group, resolved.holder, values));
        continue;
      }
      const forbidden = resolved.kind === "missing" ? pass.forbidden(call.onExit === true) : undefined;
      if (resolved.kind === "missing" && forbidden === undefined) {
        pass.draft.note(`${groupName}.${step.name} waits: ${resolved.message}`);
        return pass.draft.nodes.get(group.id)!;
      }
      const end = forbidden === undefined
        ? { phase: "Error", message: resolved.message } as const
        : { phase: "Failed", message: forbidden } as const;
      endUnresolvedStep(pass, call, boundaryId, group, step, end);
      if (end.phase === "Error") unresolved.add(memberNodeName(groupName, step.name));
      parts.push([step]);
    } catch (error) {
      return pass.draft.markError(group.id, messageOfChild(memberNodeName(groupName, step.name), messageOf(error)));
    }
  }

  const called = { ...call, volumeScope: volumeScopeOf(pass, call.volumeScope, values) };
  for (const items of parts) {
    const calls = callsOfLoop(pass, items, ({ name }) => memberNodeName(groupName, name));
    loops.push(calls);
    let ended: NodeStatus | undefined;
    const wentOn = calls.walk(pass, (place) => {
      const step = items[place];
      ended = step && startStep(pass, called, boundaryId, group, step, memberNodeName(groupName, step.name), execute);
      return ended === undefined;
    });
    if (!wentOn) return ended!;
  }
  if (pass.currentLook.isPart) return reopen(pass, group.id);
  const started = { boundaryId, groupId: group.id, steps, parts, loops, unresolved };
  return judgeGroup(pass, call, started, scope, execute);
}

/**
 * Whether a daemon of a succeeded group, or its attempt, has failed since. If so, the group is evaluated again, and the
 * daemon is restarted if its retry strategy allows it.
 */
function hasDeadDaemon(pass: Slice<StatusDraft>, group: NodeStatus): boolean {
  return group.phase === "Succeeded" && (group.children ?? []).some((id) => {
    const child = pass.draft.nodes.get(id);
    const attempt = child?.daemoned ? lastAttempt(child, pass.draft.nodes) : child;
    return child && attempt && isFailure(attempt.phase) && isOver(attempt) &&
      knownTemplate(pass, child)?.daemon === true;
  });
}

/** Whether a group only waits for the reports of ended daemons, for which a completed group is not evaluated again. */
function onlyDaemonsAreOpen(pass: Slice<StatusDraft>, group: NodeStatus): boolean {
  return (group.children ?? []).map((id) => pass.draft.nodes.get(id)!).every((child) =>
    isFulfilled(child) || (isCompleted(child) && knownTemplate(pass, child)?.daemon)
  );
}

function resolveOfGroup(
  step: WorkflowStep,
  scope: Scope,
  values: Map<string, string | null>,
  known: KnownReferences,
): ResolveResult<WorkflowStep> {
  try {
    return resolveReferences(step, scope, values, known);
  } catch (error) {
    throw new UserError(`failed to resolve references: ${messageOf(error)}`, { cause: error });
  }
}

/** The fate of names without a value. All steps of earlier groups have ended. */
function knownReferences(
  pass: Slice<StatusDraft>,
  call: ReadyCall,
  boundaryId: string,
  group: readonly WorkflowStep[],
  step: WorkflowStep,
): KnownReferences {
  const groups = call.template.steps ?? [];
  const place = groups.indexOf(group as WorkflowStep[]);
  const find = (member: string): Producer | string => {
    const at = groups.findIndex((steps) => steps.some(({ name }) => name === member));
    const producer = groups[at]?.find(({ name }) => name === member);
    if (!producer) {
      return `there is no step ${member}${didYouMean(member, groups.flat().map(({ name }) => name ?? ""))}`;
    }
    if (at >= place) {
      return member === step.name
        ? "a step cannot refer to its own outputs"
        : `steps.${member} does not run in a group before that of step ${step.name}`;
    }
    const groupName = groupNodeName(call.nodeName, at);
    const name = memberNodeName(groupName, member);
    const node = pass.draft.nodes.byName(name);
    const isLoop = !node && childrenOfLoop(pass, boundaryId, name).length > 0;
    return {
      node: node ?? pass.draft.nodes.byName(groupName),
      isLoop,
      template: () => calledTemplate(pass, producer, call.innerScope),
    };
  };
  return {
    fateOf: (name) => fateOfReference("steps", name, find),
    ...knownInputs(pass, step, call.innerScope),
  };
}

/** Ends a step whose references cannot be resolved. Its group is evaluated when all of its steps have ended. */
function endUnresolvedStep(
  pass: Slice<NodesDraft>,
  call: ReadyCall,
  boundaryId: string,
  group: NodeStatus,
  step: WorkflowStep,
  { phase, message }: { readonly phase: "Error" | "Failed"; readonly message: string },
): void {
  const name = memberNodeName(group.name, step.name);
  const existing = pass.draft.nodes.byName(name);
  if (existing) {
    if (!isOver(existing)) pass.draft.mark(existing.id, phase, message);
    return;
  }
  const node = addNewNode(pass, {
    name,
    type: "Skipped",
    phase,
    holder: step,
    scope: call.innerScope,
    boundaryId,
    flag: {},
    message,
  });
  pass.draft.addChild(group.id, node.id);
}

function expandStep(
  pass: Slice<NodesDraft>,
  call: ReadyCall,
  boundaryId: string,
  group: NodeStatus,
  step: WorkflowStep,
  values: ReadonlyMap<string, string | null>,
): readonly WorkflowStep[] {
  if (!isLoop(step)) return [step];
  const name = memberNodeName(group.name, step.name);
  const expanded = expand(pass, name, step, values);
  if (expanded.length === 0 && !pass.draft.nodes.byName(name)) {
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
    pass.draft.addChild(group.id, skipped.id);
  }
  return expanded;
}

/** Starts or continues a step. Returns the group if that ended it. */
function startStep(
  pass: Slice<NodesDraft>,
  call: ReadyCall,
  boundaryId: string,
  group: NodeStatus,
  step: WorkflowStep,
  childName: string,
  execute: Execute,
): NodeStatus | undefined {
  const existing = pass.draft.nodes.byName(childName);
  if (!existing && pass.putsOff()) return undefined;
  const skipped = { name: childName, holder: step, scope: call.innerScope, boundaryId, flag: {} };
  if (!existing || !isOver(existing)) {
    let proceed: boolean;
    try {
      proceed = mayExecute(step.when);
    } catch (error) {
      if (!existing) {
        const wrong = addNewNode(pass, { ...skipped, type: "Skipped", phase: "Error", message: messageOf(error) });
        pass.draft.addChild(group.id, wrong.id);
      }
      return pass.draft.markError(group.id, messageOfChild(childName, messageOf(error)));
    }
    if (!proceed) {
      if (!existing) {
        const { id } = addNewNode(pass, {
          ...skipped,
          type: "Skipped",
          phase: "Skipped",
          message: `when '${step.when}' evaluated false`,
        });
        pass.draft.addChild(group.id, id);
      }
      return undefined;
    }
  }
  const outcome = execute({
    nodeName: childName,
    holder: step,
    caller: "step",
    scope: call.innerScope,
    arguments: step.arguments,
    boundaryId,
    onExit: call.onExit,
    volumeScope: call.volumeScope,
  });
  // The outcome of a call with retries may be that of an attempt. The step's node is that of the call.
  if (outcome.node) pass.draft.addChild(group.id, pass.draft.nodes.idOf(childName));
  if (outcome.kind === "timeout") return pass.draft.mark(group.id, "Failed", "timeout");
  if (outcome.kind === "error") {
    return pass.draft.markError(
      group.id,
      messageOfChild(childName, outcome.message),
    );
  }
  return undefined;
}

/** Evaluates a group: runs hooks first, then derives its phase from those of its children. */
function judgeGroup(
  pass: Slice<NodesDraft & StatusDraft>,
  call: ReadyCall,
  { boundaryId, groupId, steps, parts, loops, unresolved }: StartedGroup,
  scope: Scope,
  execute: Execute,
): NodeStatus {
  const children = () => (pass.draft.nodes.get(groupId)!.children ?? []).map((id) => pass.draft.nodes.get(id)!);
  const isHooked = parts.some(([step]) => step && hasHooks(pass)(step));
  // In a retried workflow, a step may wait for room that a later one used, which has ended in this pass.
  const isStarted = !loops.some(({ holdsBack }) => holdsBack);
  if (!isHooked && !allFulfilled(pass, groupId)) return reopen(pass, groupId);
  if (!isStarted && pass.draft.nodes.changed.size > 0) pass.requestPassAt(pass.facts.now.getTime());
  if (!isHooked && !isStarted) return reopen(pass, groupId);
  const stepOf = stepsByNode(pass, parts, loops);
  let completed = isStarted;
  // An unfinished hook may wait for a lock of later hooks and handlers, so those that have started continue.
  let isHeld = false;
  for (const child of isHooked ? children() : []) {
    const step = stepOf.get(child.id);
    const onExit = call.onExit === true;
    const hookCall = {
      scope,
      fateOf: knownReferences(pass, call, boundaryId, steps, step ?? steps[0]!).fateOf,
      root: "steps" as const,
      boundaryId,
      templateScope: call.innerScope,
      execute,
      onExit,
      isHeld,
    };
    if (step?.hooks) {
      scope.values.set(`steps.${child.displayName}.status`, child.phase ?? "");
      try {
        if (!runHooks(pass, { ...hookCall, hooks: step.hooks, parent: child, holder: step })) isHeld = true;
      } catch (error) {
        return pass.draft.markError(groupId, messageOf(error));
      }
    }
    if (!isFulfilled(child)) completed = false;
    else if (isHeld && !pass.draft.nodes.byName(onExitNodeName(child.name))) continue;
    else if (isCompleted(child) && step) {
      const hook = exitHookOf(step, pass.draft.spec.arguments);
      try {
        const exit = hook && runExitHook(pass, { ...hookCall, hook, parent: child, holder: step });
        if (exit?.kind === "error") throw new ExitHookError(exit.message);
        if (exit && !(exit.node && isFulfilled(exit.node))) completed = false;
      } catch (error) {
        if (error instanceof ExitHookError) {
          throw new ExitHookError(messageOfChild(onExitNodeName(child.name), error.message), { cause: error });
        }
        return pass.draft.markError(groupId, messageOf(error));
      }
    }
  }
  if (isHeld) return pass.draft.nodes.get(groupId)!;
  if (!completed) return reopen(pass, groupId);

  for (const child of children()) {
    const step = stepOf.get(child.id);
    if (!isFailure(child.phase) || continuesOn(step, child.phase)) continue;
    if (unresolved.has(child.name)) {
      return pass.draft.markError(groupId, messageOfChild(child.name, child.message ?? ""));
    }
    return pass.draft.mark(groupId, "Failed", `child '${child.id}' failed`);
  }
  return pass.draft.mark(groupId, "Succeeded");
}

function hasHooks(pass: Slice): (step: WorkflowStep) => boolean {
  return (step) => Boolean(step.hooks || exitHookOf(step, pass.draft.spec.arguments));
}

/**
 * The index of the child of a group that was last found to be unfinished, by the group's node ID.
 */
const lastOpenChildren = () => new Map<string, number>();

/** Whether all children of a group are fulfilled. The child that was last found to be unfinished is checked first. */
function allFulfilled(pass: Slice, groupId: string): boolean {
  const lastOpenChild = pass.cache(lastOpenChildren);
  const children = pass.draft.nodes.get(groupId)!.children ?? [];
  const isOpen = (id: string) => !isFulfilled(pass.draft.nodes.get(id)!);
  const last = lastOpenChild.get(groupId) ?? 0;
  const lastOpen = children[last];
  if (lastOpen !== undefined && isOpen(lastOpen)) return false;
  const next = children.findIndex((id, place) => place > last && isOpen(id));
  const open = next >= 0 ? next : children.findIndex(isOpen);
  if (open >= 0) lastOpenChild.set(groupId, open);
  return open < 0;
}

/** Marks a fulfilled group as Running because it has unfinished children again. */
function reopen(pass: Slice<NodesDraft>, groupId: string): NodeStatus {
  const group = pass.draft.nodes.get(groupId)!;
  return isFulfilled(group) ? pass.draft.mark(groupId, "Running") : group;
}

/** The step of each node, by node ID. */
function stepsByNode(
  pass: Slice,
  parts: readonly (readonly WorkflowStep[])[],
  loops: readonly LoopCalls[],
): ReadonlyMap<string, WorkflowStep> {
  const found = new Map<string, WorkflowStep>();
  for (const [index, items] of parts.entries()) {
    for (const [place, step] of items.entries()) {
      const node = loops[index]?.nodeAt(pass, place);
      if (node) found.set(node.id, step);
    }
  }
  return found;
}

function addStepToScope(
  pass: Slice<StatusDraft>,
  call: ReadyCall,
  boundaryId: string,
  groupName: string,
  step: WorkflowStep,
  scope: Scope,
): void {
  const childName = memberNodeName(groupName, step.name);
  const child = pass.draft.nodes.byName(childName);
  if (child) {
    addNode(pass, scope, "steps", step.name, child);
    if (asSeenByOthers(child).phase === "Skipped") {
      const template = calledTemplate(pass, step, call.innerScope);
      if (template) addSkippedOutputs({ scope, root: "steps", name: step.name, node: child, template });
    }
    return;
  }
  const calls = childrenOfLoop(pass, boundaryId, childName);
  const items = calls.filter((node) => node.type !== "Skipped");
  if (items.length) aggregateLoop(scope, "steps", step.name, childName, items);
  else if (calls.length > 0) {
    const template = calledTemplate(pass, step, call.innerScope);
    if (template) addSkippedLoop(scope, "steps", step.name, template);
  }
  addNode(pass, scope, "steps", step.name, pass.draft.nodes.byName(groupName)!);
}

function setOutbound(pass: Slice<NodesDraft>, call: ReadyCall, id: string): void {
  const groups = (call.template.steps ?? []).map((_, index) =>
    pass.draft.nodes.byName(groupNodeName(call.nodeName, index))
  );
  const last = groups.filter((group) => group !== undefined).at(-1);
  const found = (last?.children ?? []).flatMap((child) => outboundNodes(pass, pass.draft.nodes.get(child)!));
  // A group without children is itself outbound: otherwise nodes that follow these steps would have no parent.
  const outbound = found.length || !last ? found : [last.id];
  pass.draft.update(id, { outboundNodes: outbound.length ? outbound : undefined });
}

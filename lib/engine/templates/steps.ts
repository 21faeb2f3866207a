/** Steps: a list of groups. The steps of a group run in parallel; the next group starts when all of them have ended. */
import { UserError } from "@tiphys/base/user_error";
import { didYouMean, type NodeStatus, type WorkflowStep } from "@tiphys/model/api";
import {
  groupNodeName,
  isCompleted,
  isFailure,
  isFulfilled,
  isOver,
  lastAttempt,
  memberNodeName,
  onExitNodeName,
  withResultOfOriginalPod,
} from "@tiphys/model/status";
import { isLoop } from "@tiphys/model/templates";
import { aggregateLoop, childrenOfLoop } from "./aggregate.ts";
import { ensureRunningNode, type Execute, type Outcome, type ReadyCall } from "./call.ts";
import { continuesOn } from "./continue_on.ts";
import { endDaemons } from "./daemons.ts";
import { failureOfStep } from "./failure_message.ts";
import { endDescendants } from "./end_unfinished_nodes.ts";
import { ExitHookError, exitHookOf, runExitHook, runHooks } from "./hooks.ts";
import {
  calledTemplate,
  expandCalls,
  inputFacts,
  isWhenTrue,
  type ReferenceFacts,
  resolveReferences,
  type ResolveResult,
} from "./references.ts";
import { outcomeOfReference, type Producer } from "./reference_outcome.ts";
import { addNewNode } from "../nodes/new_node.ts";
import { outboundNodes } from "../nodes/outbound.ts";
import { templateIfValid } from "./parallelism.ts";
import { templateOutputs } from "./outputs.ts";
import type { Draft } from "../draft.ts";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import { userErrorMessage } from "../user_error.ts";
import { addNodeOutputs, addSkippedLoop, addSkippedOutputs, newScope, Scope } from "./scope.ts";
import { exportOutputs } from "../spec/global_outputs.ts";
import { LoopCalls, loopCallsOf } from "./loop_calls.ts";
import { volumeScopeOf } from "../spec/volumes.ts";

/** A group of steps that succeeded. */
interface SucceededGroup {
  readonly loops: readonly LoopCalls[];
  /** The values and artifacts that its steps provide for later groups. */
  readonly provided: Scope;
}

/** A group whose steps have started, except those that cannot. */
interface StartedGroup {
  readonly boundaryId: string;
  readonly groupId: string;
  readonly steps: readonly WorkflowStep[];
  /** The items of each step; of a step without a loop the step itself. */
  readonly itemsByStep: readonly (readonly WorkflowStep[])[];
  /** The calls of each step. */
  readonly loops: readonly LoopCalls[];
  /**
   * The names of the nodes of steps whose references can never be resolved. Their group ends with an error, as in Argo.
   */
  readonly unresolved: ReadonlySet<string>;
}

/** The groups that succeeded, by node ID. */
const succeededGroups = () => new Map<string, SucceededGroup>();

/** Runs a steps template. */
export function runSteps(pass: Slice<Draft>, call: ReadyCall, execute: Execute): Outcome {
  const node = ensureRunningNode(pass, call, "Steps");
  const outcome = runGroups(pass, call, node.id, execute);
  if (pass.isNodeCompleted(node.id)) {
    endDaemons(pass, node.id);
    endDescendants(pass, node.id);
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
  const runningOutcome = () => ({ kind: "node", node: pass.draft.nodes.get(id)! }) as const;
  // A group that has ended runs again if one of its daemons fails. Later groups that have started continue: an exit
  // handler of the daemon may wait for a lock that they hold.
  let isReopened = false;
  for (const [index, steps] of groups.entries()) {
    const groupName = groupNodeName(call.nodeName, index);
    if (!pass.draft.nodes.byName(groupName) && (isReopened || pass.postponesCalls())) return runningOutcome();
    addGroup(pass, call, id, index);
    const reusable = reusableGroup(pass, groupName);
    if (reusable) {
      scope.add(reusable.provided);
      continue;
    }
    const loops: LoopCalls[] = [];
    let group: NodeStatus;
    try {
      group = runGroup(pass, call, id, groupName, steps, scope, loops, execute);
    } catch (error) {
      if (!(error instanceof ExitHookError)) throw error;
      return failByExitHook(
        pass,
        call,
        id,
        pass.draft.markError(pass.draft.nodes.byName(groupName)!.id, error.message),
      );
    }
    if (!isFulfilled(group)) {
      if (!pass.draft.nodes.byName(groupNodeName(call.nodeName, index + 1))) return runningOutcome();
      isReopened = true;
    }
    if (isFailure(group.phase)) {
      setOutbound(pass, call, id);
      return { kind: "node", node: pass.draft.mark(id, "Failed", failureMessage(pass, group)) };
    }
    const provided = new Scope();
    for (const step of steps) addStepToScope(pass, call, id, groupName, step, provided);
    scope.add(provided);
    // A daemon of a succeeded group may wait for its next attempt, which starts at a time.
    if (isReopened || steps.some(hasHooks(pass)) || hasFailedDaemon(pass, group)) {
      pass.cache(succeededGroups).delete(group.id);
    } else pass.cache(succeededGroups).set(group.id, { loops, provided });
  }
  if (isReopened) return runningOutcome();
  setOutbound(pass, call, id);
  const outputs = templateOutputs(call.template, scope);
  if (outputs) {
    pass.draft.update(id, { outputs });
    exportOutputs(pass, outputs);
  }
  return { kind: "node", node: pass.draft.mark(id, "Succeeded") };
}

/** The message of a group that ended because of an error of a step or of a step's exit handler. */
function childErrorMessage(name: string, message: string): string {
  return `step group deemed errored due to child ${name} error: ${message}`;
}

/** The message of a steps node that failed because of a group: the group's, with details of the step that it names. */
function failureMessage(pass: Slice, { message = "" }: NodeStatus): string {
  const id = /^child '(\S+)' failed$/.exec(message)?.[1];
  const step = id === undefined ? undefined : pass.draft.nodes.get(id);
  return step ? failureOfStep(pass.draft.nodes, step) : message;
}

/**
 * Fails a steps node because of an exit handler that cannot be run. In the entry template, the outcome is the group, as
 * in Argo: the workflow and its entry node end with the group's error.
 */
function failByExitHook(pass: Slice<NodesDraft>, call: ReadyCall, id: string, group: NodeStatus): Outcome {
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
 * The cached record of a group that succeeded; undefined for any other group, and if a node in it may have changed.
 */
function reusableGroup(pass: Slice, groupName: string): SucceededGroup | undefined {
  const group = pass.draft.nodes.byName(groupName)!;
  const ended = pass.cache(succeededGroups).get(group.id);
  if (!ended || !isFulfilled(group)) return undefined;
  return pass.nodesWithWork && !ended.loops.some((calls) => calls.openChangedCalls(pass)) ? ended : undefined;
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
    isFulfilled(group) && !hasFailedDaemon(pass, group) &&
    (pass.areDescendantsFulfilled(group) || waitsOnlyForDaemonReports(pass, group))
  ) {
    loops.push(new LoopCalls(pass, group.children ?? []));
    return group;
  }

  const itemsByStep: (readonly WorkflowStep[])[] = [];
  const unresolved = new Set<string>();
  const values = scope.withGlobals(pass.draft.globals);
  for (const step of steps) {
    try {
      const resolved = resolveStep(step, scope, values, referenceFacts(pass, call, boundaryId, steps, step));
      if (resolved.kind === "ready") {
        itemsByStep.push(expandStep(pass, call, boundaryId, group, resolved.holder, values));
        continue;
      }
      const forbidden = resolved.kind === "missing" ? pass.forbiddenMessage(call.onExit === true) : undefined;
      if (resolved.kind === "missing" && forbidden === undefined) {
        pass.draft.log(`${groupName}.${step.name} waits: ${resolved.message}`);
        return pass.draft.nodes.get(group.id)!;
      }
      const end = forbidden === undefined
        ? { phase: "Error", message: resolved.message } as const
        : { phase: "Failed", message: forbidden } as const;
      endUnresolvedStep(pass, call, boundaryId, group, step, end);
      if (end.phase === "Error") unresolved.add(memberNodeName(groupName, step.name));
      itemsByStep.push([step]);
    } catch (error) {
      const message = userErrorMessage(error);
      if (!continuesOn(step, "Error")) {
        return pass.draft.markError(group.id, childErrorMessage(memberNodeName(groupName, step.name), message));
      }
      endUnresolvedStep(pass, call, boundaryId, group, step, { phase: "Error", message });
      itemsByStep.push([step]);
    }
  }

  const callWithVolumes = { ...call, volumeScope: volumeScopeOf(pass, call.volumeScope, values) };
  for (const items of itemsByStep) {
    const calls = loopCallsOf(pass, items, ({ name }) => memberNodeName(groupName, name));
    loops.push(calls);
    let ended: NodeStatus | undefined;
    const areAllVisited = calls.visitDue(pass, (index) => {
      const step = items[index];
      ended = step &&
        startStep(pass, callWithVolumes, boundaryId, group, step, memberNodeName(groupName, step.name), execute);
      return ended === undefined;
    });
    if (!areAllVisited) return ended!;
  }
  if (pass.currentEvaluation.isPartial) return reopen(pass, group.id);
  const started = { boundaryId, groupId: group.id, steps, itemsByStep, loops, unresolved };
  return evaluateGroup(pass, call, started, scope, execute);
}

/**
 * Whether a daemon of a succeeded group, or its attempt, has failed since. If so, the group is evaluated again, and the
 * daemon is restarted if its retry strategy allows it.
 */
function hasFailedDaemon(pass: Slice<StatusDraft>, group: NodeStatus): boolean {
  return group.phase === "Succeeded" && (group.children ?? []).some((id) => {
    const child = pass.draft.nodes.get(id);
    const attempt = child?.daemoned ? lastAttempt(child, pass.draft.nodes) : child;
    return child && attempt && isFailure(attempt.phase) && isOver(attempt) &&
      templateIfValid(pass, child)?.daemon === true;
  });
}

/**
 * Whether a group waits for nothing but the reports of ended daemons. A completed group is not evaluated again when
 * they arrive.
 */
function waitsOnlyForDaemonReports(pass: Slice<StatusDraft>, group: NodeStatus): boolean {
  return (group.children ?? []).map((id) => pass.draft.nodes.get(id)!).every((child) =>
    isFulfilled(child) || (isCompleted(child) && templateIfValid(pass, child)?.daemon)
  );
}

function resolveStep(
  step: WorkflowStep,
  scope: Scope,
  values: Map<string, string | null>,
  facts: ReferenceFacts,
): ResolveResult<WorkflowStep> {
  try {
    return resolveReferences(step, scope, values, facts);
  } catch (error) {
    throw new UserError(`failed to resolve references: ${userErrorMessage(error)}`, { cause: error });
  }
}

/** Facts about references without a value. All steps of earlier groups have ended. */
function referenceFacts(
  pass: Slice<StatusDraft>,
  call: ReadyCall,
  boundaryId: string,
  group: readonly WorkflowStep[],
  step: WorkflowStep,
): ReferenceFacts {
  const groups = call.template.steps ?? [];
  const groupIndex = groups.indexOf(group as WorkflowStep[]);
  const find = (member: string): Producer | string => {
    const memberIndex = groups.findIndex((steps) => steps.some(({ name }) => name === member));
    const producer = groups[memberIndex]?.find(({ name }) => name === member);
    if (!producer) {
      return `there is no step ${member}${didYouMean(member, groups.flat().map(({ name }) => name ?? ""))}`;
    }
    if (memberIndex >= groupIndex) {
      return member === step.name
        ? "a step cannot refer to its own outputs"
        : `steps.${member} does not run in a group before that of step ${step.name}`;
    }
    const groupName = groupNodeName(call.nodeName, memberIndex);
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
    outcomeOf: (name) => outcomeOfReference("steps", name, find),
    ...inputFacts(pass, step, call.innerScope),
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
  const expanded = expandCalls(pass, name, step, values);
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
  if (!existing && pass.postponesCalls()) return undefined;
  const skipped = { name: childName, holder: step, scope: call.innerScope, boundaryId, flag: {} };
  if (!existing || !isOver(existing)) {
    let mayStart: boolean;
    try {
      mayStart = isWhenTrue(step.when);
    } catch (error) {
      if (!existing) {
        const errorNode = addNewNode(pass, {
          ...skipped,
          type: "Skipped",
          phase: "Error",
          message: userErrorMessage(error),
        });
        pass.draft.addChild(group.id, errorNode.id);
      }
      if (continuesOn(step, "Error")) return undefined;
      return pass.draft.markError(group.id, childErrorMessage(childName, userErrorMessage(error)));
    }
    if (!mayStart) {
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
  if (outcome.kind === "timeout") {
    const { id, phase, message } = outcome.node;
    if (phase === "Error") pass.draft.mark(id, "Failed", message);
    return undefined;
  }
  if (outcome.kind !== "error") return undefined;
  if (!continuesOn(step, "Error")) return pass.draft.markError(group.id, childErrorMessage(childName, outcome.message));
  pass.draft.markError(pass.draft.nodes.idOf(childName), outcome.message);
  return undefined;
}

/** Evaluates a group: runs hooks first, then derives its phase from those of its children. */
function evaluateGroup(
  pass: Slice<NodesDraft & StatusDraft>,
  call: ReadyCall,
  { boundaryId, groupId, steps, itemsByStep, loops, unresolved }: StartedGroup,
  scope: Scope,
  execute: Execute,
): NodeStatus {
  const children = () => (pass.draft.nodes.get(groupId)!.children ?? []).map((id) => pass.draft.nodes.get(id)!);
  const isHooked = itemsByStep.some(([step]) => step && hasHooks(pass)(step));
  // In a retried workflow, a step may wait for room that a later one used, which has ended in this pass.
  const isStarted = !loops.some(({ holdsBack }) => holdsBack);
  if (!isHooked && !areChildrenFulfilled(pass, groupId)) return reopen(pass, groupId);
  if (!isStarted && pass.draft.nodes.changed.size > 0) pass.requestPassAt(pass.facts.now.getTime());
  if (!isHooked && !isStarted) return reopen(pass, groupId);
  const stepOf = stepsByNode(pass, itemsByStep, loops);
  let areAllCompleted = isStarted;
  // An unfinished hook may wait for a lock of later hooks and handlers, so those that have started continue.
  let isBlocked = false;
  for (const child of isHooked ? children() : []) {
    const step = stepOf.get(child.id);
    const onExit = call.onExit === true;
    const hookCall = {
      scope,
      outcomeOf: referenceFacts(pass, call, boundaryId, steps, step ?? steps[0]!).outcomeOf,
      root: "steps" as const,
      boundaryId,
      templateScope: call.innerScope,
      execute,
      onExit,
      isBlocked,
    };
    if (step?.hooks) {
      scope.values.set(`steps.${child.displayName}.status`, child.phase ?? "");
      try {
        if (!runHooks(pass, { ...hookCall, hooks: step.hooks, parent: child, holder: step })) isBlocked = true;
      } catch (error) {
        return pass.draft.markError(groupId, userErrorMessage(error));
      }
    }
    if (!isFulfilled(child)) areAllCompleted = false;
    else if (isBlocked && !pass.draft.nodes.byName(onExitNodeName(child.name))) continue;
    else if (isCompleted(child) && step) {
      const hook = exitHookOf(step, pass.draft.spec.arguments);
      try {
        const exit = hook && runExitHook(pass, { ...hookCall, hook, parent: child, holder: step });
        if (exit?.kind === "error") throw new ExitHookError(exit.message);
        if (exit && !(exit.node && isFulfilled(exit.node))) areAllCompleted = false;
      } catch (error) {
        if (error instanceof ExitHookError) {
          throw new ExitHookError(childErrorMessage(onExitNodeName(child.name), error.message), { cause: error });
        }
        return pass.draft.markError(groupId, userErrorMessage(error));
      }
    }
  }
  if (isBlocked) return pass.draft.nodes.get(groupId)!;
  if (!areAllCompleted) return reopen(pass, groupId);

  for (const child of children()) {
    const step = stepOf.get(child.id);
    if (!isFailure(child.phase) || continuesOn(step, child.phase)) continue;
    if (unresolved.has(child.name)) {
      return pass.draft.markError(groupId, childErrorMessage(child.name, child.message ?? ""));
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
function areChildrenFulfilled(pass: Slice, groupId: string): boolean {
  const lastOpenChild = pass.cache(lastOpenChildren);
  const children = pass.draft.nodes.get(groupId)!.children ?? [];
  const isOpen = (id: string) => !isFulfilled(pass.draft.nodes.get(id)!);
  const last = lastOpenChild.get(groupId) ?? 0;
  const lastOpen = children[last];
  if (lastOpen !== undefined && isOpen(lastOpen)) return false;
  const next = children.findIndex((id, index) => index > last && isOpen(id));
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
  itemsByStep: readonly (readonly WorkflowStep[])[],
  loops: readonly LoopCalls[],
): ReadonlyMap<string, WorkflowStep> {
  const found = new Map<string, WorkflowStep>();
  for (const [index, items] of itemsByStep.entries()) {
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
    addNodeOutputs(pass, scope, "steps", step.name, child);
    if (withResultOfOriginalPod(child).phase === "Skipped") {
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
  addNodeOutputs(pass, scope, "steps", step.name, pass.draft.nodes.byName(groupName)!);
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

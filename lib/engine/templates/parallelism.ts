/** Limits on nodes that run in parallel: pods of the workflow, children of a template, and `failFast`. */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { callerOfDisplayName, isFulfilled } from "@tiphys/model/status";
import { callsIn, callsTemplates, templateType } from "@tiphys/model/templates";
import type { Draft } from "../draft.ts";
import type { NodesDraft, PodsDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import type { ReadyCall } from "./call.ts";
import { endDescendants, FAIL_FAST } from "./end_unfinished_nodes.ts";
import { parseScope, resolveTemplate } from "../spec/templates.ts";
import { ignoreUserError } from "../user_error.ts";

/**
 * Makes a call wait at a limit; returns undefined if it may start. A boundary with `failFast` and no running calls
 * fails here. Limits do not apply to a workflow that is being ended, as daemons could use them up and delay its end.
 */
export function waitForLimits(pass: Slice<Draft>, call: ReadyCall, node: NodeStatus | undefined) {
  if (!mustWait(pass, call, node)) return undefined;
  const current = node && pass.draft.nodes.get(node.id);
  // A node that `failFast` ended does not wait.
  return current && isFulfilled(current)
    ? { kind: "node", node: current } as const
    : { kind: "waiting", node: current } as const;
}

/** Whether a call, with or without a node, must wait. */
function mustWait(
  pass: Slice<Draft>,
  { template, boundaryId, onExit }: ReadyCall,
  node: NodeStatus | undefined,
): boolean {
  const isLimited = pass.forbiddenMessage(onExit === true) === undefined;
  if (isLimited && !pass.mayHaveAnotherPod) {
    pass.waitFor("pods");
    return true;
  }
  if (isLimited && !node && pass.draft.lockRequests.length > 0 && couldReachLimit(pass, boundaryId)) {
    pass.markPartial();
    return true;
  }
  if (node && callsTemplates(template) && isAtLimit(pass, template, node, "itself", isLimited)) {
    return true;
  }
  const starts = !node || (node.phase !== "Pending" && node.phase !== "Running");
  if (!boundaryId || !starts) return false;
  const boundary = pass.draft.nodes.get(boundaryId);
  const boundaryTemplate = boundary && templateOfNode(pass, boundary);
  return boundaryTemplate !== undefined &&
    isAtLimit(pass, boundaryTemplate, boundary!, "a call", isLimited);
}

/**
 * Whether the nodes that requested locks in this decision would reach a limit if all of them started. The decision is
 * made again once the lock requests are answered.
 */
function couldReachLimit(pass: Slice<StatusDraft>, boundaryId: string | undefined): boolean {
  if (!pass.mayHavePods(pass.draft.lockRequests.length + 1)) return true;
  const boundary = boundaryId === undefined ? undefined : pass.draft.nodes.get(boundaryId);
  const { parallelism: limit = 0 } = (boundary && templateOfNode(pass, boundary)) ?? {};
  return limit > 0 && countActiveChildren(pass, boundary!.id) + pass.draft.lockRequestersIn(boundaryId) >= limit;
}

/** Whether a steps or DAG node may not continue now, or no further call of it may start. */
function isAtLimit(
  pass: Slice<NodesDraft & PodsDraft & RequestsDraft>,
  template: Template,
  node: NodeStatus,
  subject: "itself" | "a call",
  isLimited: boolean,
): boolean {
  const hasFailed = template.failFast && pass.draft.nodes.hasFailed(node.id);
  if (hasFailed && !hasActivePodsBelow(pass, node.id)) {
    // The node is not ended while its calls are evaluated; the next pass starts with that. Attempts are only checked by
    // their calls, so they are ended here.
    if (subject === "itself") {
      failFastNode(pass, template, node);
      endDescendants(pass, node.id);
    } else if (node.nodeFlag?.retried) failFastNode(pass, template, node);
    else pass.requestPassAt(pass.facts.now.getTime());
  }
  const active = subject === "itself" ? countActivePodsIn : countActiveChildren;
  // In a template, 0 and negative numbers mean no limit.
  const { parallelism: limit = 0 } = template;
  const isFull = isLimited && limit > 0 && active(pass, node.id) >= limit;
  if (!hasFailed && !isFull) return false;
  pass.waitFor(`calls/${node.id}`);
  return true;
}

function failFastNode(pass: Slice<NodesDraft>, template: Template, node: NodeStatus): void {
  if (templateType(template) === "steps") {
    const group = lastStepGroup(pass, node);
    if (group) pass.draft.mark(group.id, "Failed", FAIL_FAST);
  }
  pass.draft.mark(node.id, "Failed", FAIL_FAST);
}

/** The template of a node, without arguments; undefined for a node without a template. */
export function templateOfNode(pass: Slice<StatusDraft>, node: NodeStatus): Template | undefined {
  if (!node.templateName && !node.templateRef) return inlineTemplateOf(pass, node);
  const holder = { name: node.displayName, template: node.templateName, templateRef: node.templateRef };
  return resolveTemplate(pass, holder, parseScope(node.templateScope)).template;
}

/**
 * The template of a node, without arguments; undefined also if it no longer exists or is invalid, and in a pass over a
 * workflow that may not run.
 */
export function templateIfValid(pass: Slice<StatusDraft>, node: NodeStatus): Template | undefined {
  if (!pass.draft.specIfSet) return undefined;
  try {
    return templateOfNode(pass, node);
  } catch (error) {
    ignoreUserError(error);
    return undefined;
  }
}

/** The inline template of a node, which has no name on the node and is found in its step or task. */
function inlineTemplateOf(pass: Slice<StatusDraft>, node: NodeStatus): Template | undefined {
  const boundary = node.boundaryID ? pass.draft.nodes.get(node.boundaryID) : undefined;
  const parent = boundary && templateOfNode(pass, boundary);
  const name = callerOfDisplayName(node.displayName);
  return callsIn(parent ?? {}).find((holder) => holder.name === name)?.inline;
}

function lastStepGroup(pass: Slice, node: NodeStatus): NodeStatus | undefined {
  let last: NodeStatus | undefined;
  const path = [node.id];
  const seen = new Set<string>();
  while (path.length) {
    const id = path.pop()!;
    if (seen.has(id)) continue;
    seen.add(id);
    const next = pass.draft.nodes.get(id);
    if (next?.type === "StepGroup" && next.boundaryID === node.id) last = next;
    path.push(...next?.children?.toReversed() ?? []);
  }
  return last;
}

/** The number of pods that count for the `parallelism` of the workflow; 0 if it is not set. */
export function countActivePods(pass: Slice): number {
  if (pass.draft.spec.parallelism === undefined) return 0;
  const { nodes } = pass.draft;
  return pass.select("active", nodes.ids(), (id) => isActivePod(pass, nodes.get(id))).size;
}

/** Whether a node counts for a limit. A running daemon does not, as it runs until all others have ended. */
function isActive(node: NodeStatus): boolean {
  return (node.phase === "Pending" || node.phase === "Running") && !node.daemoned;
}

/** Whether a node counts as an active pod: it is unfinished, waits for no lock, and its pod exists or is requested. */
function isActivePod(pass: Slice, node: NodeStatus | undefined): boolean {
  return node?.type === "Pod" && isActive(node) && !node.synchronizationStatus?.waiting && pass.hasPod(node.id);
}

function countActivePodsIn(pass: Slice, boundaryId: string): number {
  let count = 0;
  for (const id of pass.draft.nodes.activeIn(boundaryId)) if (isActivePod(pass, pass.draft.nodes.get(id))) count++;
  return count;
}

/** Whether a pod runs inside a steps or DAG node, at any depth. */
function hasActivePodsBelow(pass: Slice, boundaryId: string): boolean {
  const { nodes } = pass.draft;
  const inside = [...nodes.activeIn(boundaryId)];
  for (const id of inside) {
    if (isActivePod(pass, nodes.get(id))) return true;
    inside.push(...nodes.activeIn(id));
  }
  return false;
}

function countActiveChildren(pass: Slice, boundaryId: string): number {
  return pass.draft.nodes.activeIn(boundaryId).size;
}

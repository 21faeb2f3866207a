/** May one more node start now? Limits on pods of the workflow, on children of a template, and fail-fast. */
import type { NodeStatus, Template } from "../../lib/api/mod.ts";
import type { Pass } from "./pass.ts";
import { parseScope, resolveTemplate } from "./templates.ts";
import { templateType } from "./template_type.ts";

/** The message of a template that was ended by `failFast`. */
export const FAIL_FAST = "template has failed or errored children and failFast enabled";

/** Whether the node (or the one to be) must wait. A boundary with failFast and nothing left to run fails here. */
export function mustWait(pass: Pass, template: Template, node: NodeStatus | undefined, boundaryId?: string): boolean {
  const limit = pass.spec.parallelism;
  if (limit !== undefined && pass.activePods >= limit) return true;
  const type = templateType(template);
  if (node && (type === "dag" || type === "steps") && isHeld(pass, template, node, activePodsOf)) {
    return true;
  }
  const starts = !node || (node.phase !== "Pending" && node.phase !== "Running");
  if (!boundaryId || !starts) return false;
  const boundary = pass.nodes.get(boundaryId);
  const boundaryTemplate = boundary && templateOfNode(pass, boundary);
  return boundaryTemplate !== undefined &&
    isHeld(pass, boundaryTemplate, boundary!, activeChildrenOf);
}

function isHeld(
  pass: Pass,
  template: Template,
  node: NodeStatus,
  active: (pass: Pass, boundaryId: string) => number,
): boolean {
  if (template.failFast && pass.nodes.hasFailed(node.id)) {
    if (activePodsOf(pass, node.id) === 0) failFast(pass, template, node);
    return true;
  }
  return Boolean(template.parallelism) && active(pass, node.id) >= template.parallelism!;
}

function failFast(pass: Pass, template: Template, node: NodeStatus): void {
  if (templateType(template) === "steps") {
    const group = lastStepGroup(pass, node);
    if (group) pass.mark(group.id, "Failed", FAIL_FAST);
  }
  pass.mark(node.id, "Failed", FAIL_FAST);
}

/** The template a node runs, without arguments; undefined for a node that is no template's. */
export function templateOfNode(pass: Pass, node: NodeStatus): Template | undefined {
  if (!node.templateName && !node.templateRef) return inlineTemplateOf(pass, node);
  const holder = { name: node.displayName, template: node.templateName, templateRef: node.templateRef };
  return resolveTemplate(pass, holder, parseScope(node.templateScope)).template;
}

/** An inline template has no name on the node: it is found in the step or task that the node came from. */
function inlineTemplateOf(pass: Pass, node: NodeStatus): Template | undefined {
  const boundary = node.boundaryID ? pass.nodes.get(node.boundaryID) : undefined;
  const parent = boundary && templateOfNode(pass, boundary);
  const name = (node.displayName ?? "").replace(/\(.*$/, "");
  return [...parent?.steps?.flat() ?? [], ...parent?.dag?.tasks ?? []].find((holder) => holder.name === name)?.inline;
}

function lastStepGroup(pass: Pass, node: NodeStatus): NodeStatus | undefined {
  const seen = new Set<string>();
  let last: NodeStatus | undefined;
  const visit = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    const next = pass.nodes.get(id);
    if (next?.type === "StepGroup" && next.boundaryID === node.id) last = next;
    for (const child of next?.children ?? []) visit(child);
  };
  visit(node.id);
  return last;
}

function isActive(node: NodeStatus): boolean {
  return node.phase === "Pending" || node.phase === "Running";
}

/** Pods that exist or are about to, of nodes that still run and hold no queue place. */
export function isActivePod(pass: Pass, node: NodeStatus | undefined): boolean {
  return node?.type === "Pod" && isActive(node) && !node.synchronizationStatus?.waiting && pass.hasPod(node.id);
}

function activePodsOf(pass: Pass, boundaryId: string): number {
  let count = 0;
  for (const id of pass.nodes.activeIn(boundaryId)) if (isActivePod(pass, pass.nodes.get(id))) count++;
  return count;
}

function activeChildrenOf(pass: Pass, boundaryId: string): number {
  return pass.nodes.activeIn(boundaryId).size;
}

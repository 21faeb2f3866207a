/**
 * Parts that the templates promise and the status does not contain yet. Limited, because a template may call itself.
 */
import type { DAGTask, NodeStatus, Template, Workflow, WorkflowStep } from "@tiphys/model/api";
import { groupNodeName, memberNodeName, storedTemplateOf, templateNameOf } from "@tiphys/model/status";
import { callsTemplates, isLoop } from "@tiphys/model/templates";
import { taskReferences } from "@tiphys/language/template/task_references";
import { makePart } from "./make_part.ts";
import type { Part, PartEdge } from "./part.ts";

/** Limits on the number and the depth of planned parts. */
const MAX_ITEMS = 5_000;
const MAX_DEPTH = 6;

/** The context of a template call. */
export interface Caller {
  readonly scope: string | undefined;
  /** The enclosing templates: a template that calls itself is not opened again. */
  readonly around: readonly Template[];
}

/** Plans the parts of one workflow. */
export class Planner {
  readonly #workflow: Workflow;
  readonly #templates = new Map<string, Template | undefined>();
  #made = 0;

  constructor(workflow: Workflow) {
    this.#workflow = workflow;
  }

  /**
   * Returns the template of a node, or of a call as its node will be; undefined if the workflow does not contain it.
   */
  templateOf(node: Pick<NodeStatus, "templateName" | "templateRef" | "templateScope" | "boundaryID" | "displayName">) {
    const name = templateNameOf(node);
    if (name === "") return storedTemplateOf(this.#workflow, node as NodeStatus); // Inline templates: each call has its own.
    const key = JSON.stringify([node.templateRef, node.templateScope, name]);
    if (!this.#templates.has(key)) this.#templates.set(key, storedTemplateOf(this.#workflow, node as NodeStatus));
    return this.#templates.get(key);
  }

  /** Plans a call that has no node yet. */
  planCall(call: DAGTask | WorkflowStep, key: string, caller: Caller): Part {
    const { inline, templateRef, template: templateName } = call;
    const asNode = { templateName, templateRef, templateScope: caller.scope, displayName: call.name };
    const template = inline ?? (templateName || templateRef ? this.templateOf(asNode) : undefined);
    // Templates of another object call templates of the same object by name.
    const scope = templateRef ? scopeOf(templateRef) : caller.scope;
    const body = {
      ...this.body(key, call.name ?? "", template, { ...caller, scope }),
      // As in the node's status.
      template: templateRef ? `${templateRef.name}/${templateRef.template}` : templateName ?? "",
    };
    if (!isLoop(call)) return body;
    const items = itemsOf(call);
    return makePart({
      key,
      label: call.name ?? "",
      kind: "loop",
      template: body.template,
      family: "idle",
      isPlanned: true,
      items,
    });
  }

  /** Plans a template with its content. */
  body(key: string, label: string, template: Template | undefined, caller: Caller): Part {
    this.#made++;
    const facts = { key, label, template: template?.name, family: "idle", isPlanned: true } as const;
    const isBox = template && callsTemplates(template);
    if (!isBox || this.#made > MAX_ITEMS || caller.around.includes(template) || caller.around.length >= MAX_DEPTH) {
      return makePart({ ...facts, kind: "leaf" });
    }
    const inner = { ...caller, around: [...caller.around, template] };
    const members: Part[] = [];
    for (const { name, call } of callsOf(template, key)) members.push(this.planCall(call, name, inner));
    return makePart({ ...facts, kind: "box", members, edges: edgesOf(template, key, members) });
  }
}

/** Returns the scope of templates of the object that a call refers to, as in statuses. */
export function scopeOf({ name, clusterScope }: { readonly name?: string; readonly clusterScope?: boolean }): string {
  return `${clusterScope ? "cluster" : "namespaced"}/${name ?? ""}`;
}

/** Returns the calls of a template with the names that their nodes have or will have. */
export function callsOf(template: Template, name: string): { name: string; call: DAGTask | WorkflowStep }[] {
  if (template.dag) return template.dag.tasks.map((call) => ({ name: memberNodeName(name, call.name), call }));
  return (template.steps ?? []).flatMap((group, index) =>
    group.map((call) => ({ name: memberNodeName(groupNodeName(name, index), call.name ?? ""), call }))
  );
}

/** Returns the edges between those calls of a template that are present. */
export function edgesOf(template: Template, name: string, members: readonly Part[]): PartEdge[] {
  const places = new Map(members.map(({ key }, index) => [key, index]));
  if (template.dag) return taskEdges(template.dag.tasks, name, places);
  const groups = (template.steps ?? []).map((group, index) =>
    group.flatMap((step) => places.get(memberNodeName(groupNodeName(name, index), step.name ?? "")) ?? [])
  );
  return groupEdges(groups);
}

function taskEdges(tasks: readonly DAGTask[], name: string, places: ReadonlyMap<string, number>): PartEdge[] {
  const edges: PartEdge[] = [];
  for (const task of tasks) {
    const to = places.get(memberNodeName(name, task.name));
    if (to === undefined) continue;
    const names = task.depends
      ? taskReferences(task.depends).map((reference) => reference.task)
      : task.dependencies ?? [];
    for (const wanted of new Set(names)) {
      const from = places.get(memberNodeName(name, wanted));
      if (from !== undefined && from !== to) edges.push({ from, to, kind: "after" });
    }
  }
  return edges;
}

/**
 * Between groups with more pairs than this, each step gets one edge instead of one to every step of the other group.
 */
const MAX_PAIRS = 400;

/** Groups of steps: each step waits for all steps of the previous group. */
export function groupEdges(groups: readonly (readonly number[])[]): PartEdge[] {
  const edges: PartEdge[] = [];
  let before: readonly number[] = [];
  for (const group of groups) {
    if (group.length === 0) continue;
    if (before.length * group.length <= MAX_PAIRS) {
      for (const from of before) for (const to of group) edges.push({ from, to, kind: "after" });
    } else edges.push(...pairEdges(before, group));
    before = group;
  }
  return edges;
}

/** One edge for each member of the larger group, with partners in turn. */
function pairEdges(before: readonly number[], group: readonly number[]): PartEdge[] {
  const pairs = Math.max(before.length, group.length);
  return Array.from({ length: pairs }, (_, pair) => ({
    from: before[Math.floor(pair * before.length / pairs)]!,
    to: group[Math.floor(pair * group.length / pairs)]!,
    kind: "after",
  }));
}

/** Returns the number of items of a loop, if its declaration determines it. */
export function itemsOf({ withItems, withSequence }: DAGTask | WorkflowStep): number | undefined {
  if (withItems?.length) return withItems.length;
  const count = Number(withSequence?.count ?? NaN);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

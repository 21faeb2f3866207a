/**
 * The parts of a workflow, from its status and templates: nested groups, including planned parts. Folding and layout
 * happen elsewhere.
 */
import type { NodeStatus, Template, Workflow } from "@tiphys/model/api";
import {
  attemptsOf,
  callerOfDisplayName,
  isCompletedPhase,
  lastAttempt,
  Levels,
  loopHolderName,
  NodeFamily,
  nodeGraph,
  onExitNodeName,
} from "@tiphys/model/status";
import { familyOf } from "../node_look.ts";
import { makePart } from "./make_part.ts";
import type { Part, PartEdge } from "./part.ts";
import { callsOf, edgesOf, groupEdges, Planner } from "./planned.ts";

/** The key of the outermost part. */
export const OUTERMOST_KEY = "";

/**
 * The deepest level that is drawn: call depth is limited to a hundred, and each call may be a retried loop of steps.
 */
const MAX_DEPTH = 500;

/** Returns the parts of a workflow: one outermost part, even before the first node exists. */
export function partsOf(workflow: Workflow): Part {
  return new Parts(workflow).outermostPart();
}

class Parts {
  readonly #workflow: Workflow;
  readonly #name: string;
  readonly #nodes: ReadonlyMap<string, NodeStatus>;
  readonly #family: NodeFamily;
  readonly #planner: Planner;
  readonly #inner = new Map<string, NodeStatus[]>();
  readonly #levels: Levels;
  readonly #roots: NodeStatus[] = [];

  constructor(workflow: Workflow) {
    this.#workflow = workflow;
    this.#name = workflow.metadata.name ?? "";
    this.#family = new NodeFamily(nodeGraph(workflow.status?.nodes ?? {}));
    this.#nodes = this.#family.graph.nodes;
    this.#planner = new Planner(workflow);
    this.#levels = new Levels(this.#nodes.keys(), (id) => {
      const node = this.#nodes.get(id);
      return node && this.#family.holderOf(node)?.id;
    }, MAX_DEPTH);
    for (const node of this.#nodes.values()) {
      const box = this.#levels.holderOf(node.id);
      if (box === undefined) this.#roots.push(node);
      else if (this.#inner.has(box)) this.#inner.get(box)!.push(node);
      else this.#inner.set(box, [node]);
    }
  }

  /** Returns the entrypoint, then hooks and exit handler of the workflow. A single group has no frame. */
  outermostPart(): Part {
    const main = this.#nodes.get(this.#name) ?? this.#roots.find(({ name }) => name === this.#name);
    const entry = main ? this.#part(main) : this.#plannedEntry();
    const others = this.#roots.filter((node) => node !== main).map((node) => this.#part(node));
    const planned = this.#plannedExit(others);
    const members = [...(entry ? [entry] : []), ...others, ...planned];
    if (entry && members.length === 1 && entry.members.length) {
      return makePart({ ...entry, key: OUTERMOST_KEY, kind: "box", members: entry.members, edges: entry.edges });
    }
    const edges = entry ? members.slice(1).map((_, index): PartEdge => ({ from: 0, to: index + 1, kind: "hook" })) : [];
    return makePart({ key: OUTERMOST_KEY, label: this.#name, kind: "box", members, edges });
  }

  #plannedEntry(): Part | undefined {
    const { spec, status } = this.#workflow;
    const entrypoint = spec.entrypoint ?? status?.storedWorkflowTemplateSpec?.entrypoint;
    if (!entrypoint) return undefined;
    const template = this.#planner.templateOf({ templateName: entrypoint, templateScope: `local/${this.#name}` });
    const caller = { scope: `local/${this.#name}`, around: [] };
    return this.#planner.body(this.#name, this.#name, template, caller);
  }

  #plannedExit(there: readonly Part[]): Part[] {
    const { spec, status } = this.#workflow;
    const onExit = spec.onExit ?? status?.storedWorkflowTemplateSpec?.onExit;
    const key = onExitNodeName(this.#name);
    if (!onExit || isCompletedPhase(status?.phase) || there.some((part) => part.key === key)) return [];
    return [makePart({ key, label: "onExit", kind: "leaf", template: onExit, family: "idle", isPlanned: true })];
  }

  /** Returns the part of a node with its content. */
  #part(node: NodeStatus): Part {
    if (this.#levels.levelOf(node.id) >= MAX_DEPTH - 1) return this.#leaf(node);
    switch (node.type) {
      case "Retry":
        return this.#retry(node);
      case "Steps":
        return this.#steps(node);
      case "DAG":
        return this.#dag(node);
      case "TaskGroup":
        return makePart({ ...this.#factsOf(node), kind: "loop", ...this.#membersByChildren(node) });
      default:
        return this.#leaf(node);
    }
  }

  #factsOf(node: NodeStatus) {
    return {
      key: node.name,
      // The name of the exit handler starts with the workflow name, which is shown above the graph.
      label: node.name === onExitNodeName(this.#name) ? "onExit" : node.displayName ?? node.name,
      node,
      template: node.templateRef ? `${node.templateRef.name}/${node.templateRef.template}` : node.templateName,
      family: familyOf(node),
    };
  }

  #leaf(node: NodeStatus): Part {
    const facts = this.#factsOf(node);
    if (!this.#inner.has(node.id)) return makePart({ ...facts, kind: "leaf" });
    const { members, edges } = this.#membersByChildren(node);
    return makePart({ ...facts, kind: "box", members, edges }); // The containers of a container set, or nodes that are nested too deeply.
  }

  /** Returns one part for all attempts; if attempts contain nodes, with the content of the last one. */
  #retry(node: NodeStatus): Part {
    const attempts = attemptsOf(node, this.#nodes);
    const last = lastAttempt(node, this.#nodes);
    const body = last && this.#inner.get(node.id)?.includes(last) ? this.#part(last) : undefined;
    const facts = { ...this.#factsOf(node), attempts };
    if (!body || body.members.length === 0) return makePart({ ...facts, kind: "leaf" });
    return makePart({ ...facts, kind: "box", members: body.members, edges: body.edges });
  }

  #dag(node: NodeStatus): Part {
    const template = this.#planner.templateOf(node);
    const inner = this.#membersByChildren(node);
    if (!template?.dag) return makePart({ ...this.#factsOf(node), kind: "box", ...inner });
    const members = [...inner.members, ...this.#missingCalls(node, template, inner.members)];
    const edges = [...edgesOf(template, node.name, members), ...inner.edges.filter(({ kind }) => kind === "hook")];
    return makePart({ ...this.#factsOf(node), kind: "box", members, edges });
  }

  #steps(node: NodeStatus): Part {
    const members: Part[] = [];
    const hookEdges: PartEdge[] = [];
    const groups: number[][] = [];
    const holders = this.#inner.get(node.id) ?? [];
    for (const group of holders.filter(({ type }) => type === "StepGroup").sort(compareByGroup)) {
      const first = members.length;
      const { parts, edges } = this.#stepsOf(group);
      members.push(...parts);
      hookEdges.push(...edges.map((edge) => ({ ...edge, from: edge.from + first, to: edge.to + first })));
      const hooks = new Set(edges.map(({ to }) => to));
      groups.push(parts.flatMap((_, index) => hooks.has(index) ? [] : index + first));
    }
    const template = this.#planner.templateOf(node);
    if (!template?.steps) {
      return makePart({ ...this.#factsOf(node), kind: "box", members, edges: [...groupEdges(groups), ...hookEdges] });
    }
    members.push(...this.#missingCalls(node, template, members));
    const edges = [...edgesOf(template, node.name, members), ...hookEdges];
    return makePart({ ...this.#factsOf(node), kind: "box", members, edges });
  }

  /** Returns the steps of a group. Loops of steps have no node, so a part is created for them. */
  #stepsOf(group: NodeStatus): { parts: Part[]; edges: PartEdge[] } {
    const loops = new Map<string, NodeStatus[]>();
    const singles: NodeStatus[] = [];
    for (const step of this.#inner.get(group.id) ?? []) {
      const holder = loopHolderName(step.name, group.name);
      if (holder === step.name || this.#family.ownerOfHook(step)) singles.push(step);
      else if (loops.has(holder)) loops.get(holder)!.push(step);
      else loops.set(holder, [step]);
    }
    const parts = singles.map((step) => this.#part(step));
    for (const [key, items] of loops) {
      const label = callerOfDisplayName(items[0]!.displayName);
      const members = items.map((item) => this.#part(item));
      parts.push(makePart({ key, label, kind: "loop", template: members[0]!.template, members }));
    }
    return { parts, edges: this.#hookEdges(singles) };
  }

  /** Returns the parts inside a node, with the edges given by `children`. */
  #membersByChildren(node: NodeStatus): { members: Part[]; edges: PartEdge[] } {
    const inner = this.#inner.get(node.id) ?? [];
    const places = new Map(inner.map(({ id }, index) => [id, index]));
    const edges: PartEdge[] = [];
    if (node.type !== "TaskGroup") {
      for (const [from, childNode] of inner.entries()) {
        for (const end of this.#lastNodesOf(childNode)) {
          for (const child of end.children ?? []) {
            const to = places.get(child);
            if (to === undefined || to === from || this.#family.ownerOfHook(inner[to]!)) continue;
            edges.push({ from, to, kind: "after" });
          }
        }
      }
    }
    return { members: inner.map((child) => this.#part(child)), edges: [...edges, ...this.#hookEdges(inner)] };
  }

  /** Returns the nodes to which successors of a node are connected. */
  #lastNodesOf(node: NodeStatus): readonly NodeStatus[] {
    const outbound = (node.outboundNodes ?? []).flatMap((id) => this.#nodes.get(id) ?? []);
    return outbound.includes(node) ? outbound : [node, ...outbound];
  }

  #hookEdges(inner: readonly NodeStatus[]): PartEdge[] {
    const places = new Map(inner.map(({ id }, index) => [id, index]));
    return inner.flatMap((child, to) => {
      const from = places.get(this.#family.ownerOfHook(child)?.id ?? "");
      return from === undefined ? [] : { from, to, kind: "hook" as const };
    });
  }

  /** Returns the calls of a template that have no node yet. */
  #missingCalls(node: NodeStatus, template: Template, there: readonly Part[]): Part[] {
    const keys = new Set(there.map(({ key }) => key));
    const caller = { scope: node.templateScope, around: [template] };
    return callsOf(template, node.name).flatMap(({ name, call }) =>
      keys.has(name) ? [] : this.#planner.planCall(call, name, caller)
    );
  }
}

function compareByGroup(a: NodeStatus, b: NodeStatus): number {
  return groupIndex(a) - groupIndex(b);
}

function groupIndex({ name }: NodeStatus): number {
  return Number(/\[(\d+)\]$/.exec(name)?.[1] ?? -1);
}

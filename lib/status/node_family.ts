/**
 * Nodes and what holds them. `children` says who comes after whom; here it is told which of those lie within a node (the
 * steps of a template, the calls of a loop, the attempts of a retry, the containers of a set), and which only follow it.
 */
import type { NodeStatus, NodeType } from "../api/mod.ts";
import type { NodeGraph } from "./graph.ts";
import { Levels } from "./levels.ts";
import { onExitNodeName } from "./names.ts";

/** The nodes of a workflow with the node that holds each. */
export class NodeFamily {
  readonly graph: NodeGraph;
  readonly #holders = new Map<string, NodeStatus | undefined>();
  readonly #inner = new Map<string, NodeStatus[]>();
  readonly #hooked = new Map<string, NodeStatus>();
  readonly #groups = new Map<string, NodeStatus>();

  constructor(graph: NodeGraph) {
    this.graph = graph;
    for (const node of graph.nodes.values()) this.#noteChildren(node);
    for (const node of graph.nodes.values()) this.#noteHolder(node);
    const levels = new Levels(graph.nodes.keys(), (id) => this.#holders.get(id)?.id);
    for (const node of graph.nodes.values()) {
      if (levels.holderOf(node.id) === undefined) this.#holders.delete(node.id);
      const holder = this.#holders.get(node.id);
      if (!holder) continue;
      const inner = this.#inner.get(holder.id);
      if (inner) inner.push(node);
      else this.#inner.set(holder.id, [node]);
    }
  }

  /** The node that a node lies in; undefined for the root, and for hooks of the workflow. */
  holderOf(node: NodeStatus): NodeStatus | undefined {
    return this.#holders.get(node.id);
  }

  /** The nodes that lie in a node, and in no other one in it. */
  innerOf(node: NodeStatus): readonly NodeStatus[] {
    return this.#inner.get(node.id) ?? [];
  }

  /** The steps or DAG node that a node lies in, past groups and retries; undefined for the root, and for hooks of the workflow. */
  templateNodeOf(node: NodeStatus): NodeStatus | undefined {
    let holder = this.holderOf(node);
    while (holder && GROUPS.has(holder.type)) holder = this.holderOf(holder);
    return holder;
  }

  /** Whether a node lies in another, however deep; every node lies in the workflow (undefined). */
  liesIn(node: NodeStatus, holder: NodeStatus | undefined): boolean {
    if (!holder) return true;
    let above = this.holderOf(node);
    while (above && above !== holder) above = this.holderOf(above);
    return above === holder;
  }

  /** Everything that comes after a node, or lies in it. */
  below(node: NodeStatus): NodeStatus[] {
    const found = new Set(this.graph.inOrderFrom(node));
    for (const one of found) for (const inner of this.innerOf(one)) found.add(inner); // grows while it is walked
    found.delete(node);
    return [...found];
  }

  /** The attempts of a Retry node, first to last. */
  attemptsOf(node: NodeStatus): NodeStatus[] {
    if (node.type !== "Retry") return [];
    return this.graph.childrenOf(node).filter((child) => !this.#hooked.has(child.id) && holdsChild(node, child));
  }

  /** The node whose hook, or exit handler, a node is. */
  hookedBy(node: NodeStatus): NodeStatus | undefined {
    return this.#hooked.get(node.id);
  }

  /** The exit handler of a node. */
  exitHandlerOf(node: NodeStatus): NodeStatus | undefined {
    return this.graph.childrenOf(node).find(({ name }) => name === onExitNodeName(node.name));
  }

  /** The first of the nodes that came after a node because it was over, on each way: neither what lies in it nor its hooks. */
  nextOf(node: NodeStatus): NodeStatus[] {
    const own = this.#ownOf(node);
    return [...own].flatMap((one) => this.graph.childrenOf(one)).filter((one) => !own.has(one));
  }

  /** A node, what lies in it, and its hooks with what lies in those: a hook lies beside its node. */
  #ownOf(node: NodeStatus): Set<NodeStatus> {
    const own = new Set([node]);
    for (const one of own) { // grows while it is walked
      for (const inner of this.innerOf(one)) own.add(inner);
      for (const child of this.graph.childrenOf(one)) if (this.#hooked.has(child.id)) own.add(child);
    }
    return own;
  }

  #noteChildren(node: NodeStatus): void {
    for (const child of this.graph.childrenOf(node)) {
      // An attempt of a hook has both flags.
      if (child.nodeFlag?.hooked && !child.nodeFlag.retried) this.#hooked.set(child.id, node);
      else if (holdsChild(node, child)) this.#groups.set(child.id, node);
    }
  }

  /**
   * Notes the holder of a node, which a hook shares with the node whose hook it is. Hooks of each other, as a status that
   * somebody wrote by hand may have them, lie where one of them says.
   */
  #noteHolder(node: NodeStatus): void {
    const beside = new Set<NodeStatus>();
    let last = node;
    while (!this.#holders.has(last.id) && !beside.has(last)) {
      beside.add(last);
      last = this.#hooked.get(last.id) ?? last;
    }
    const holder = this.#holders.has(last.id)
      ? this.#holders.get(last.id)
      : this.#groups.get(last.id) ?? this.graph.nodes.get(last.boundaryID ?? "");
    for (const { id } of beside) this.#holders.set(id, holder);
  }
}

/**
 * The exit handler of a workflow, and all that it ran: the node of exactly its name that lies in nothing. A task may have a
 * name that begins alike.
 */
export function exitHandlerNodes(workflowName: string, family: NodeFamily): NodeStatus[] {
  const name = onExitNodeName(workflowName);
  for (const node of family.graph.nodes.values()) {
    if (node.name === name && !node.boundaryID) return [node, ...family.below(node)];
  }
  return [];
}

const GROUPS: ReadonlySet<NodeType> = new Set(["StepGroup", "TaskGroup", "Retry"]);

/** Whether a child lies in a node, and does not follow it: a group without any is itself what the next one hangs below. */
function holdsChild(parent: NodeStatus, child: NodeStatus): boolean {
  switch (parent.type) {
    case "Retry":
    case "TaskGroup":
      return child.name.startsWith(`${parent.name}(`);
    case "StepGroup":
      return child.name.startsWith(`${parent.name}.`);
    default:
      return false;
  }
}

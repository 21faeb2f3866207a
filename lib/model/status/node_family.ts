/**
 * Nodes and their containers. `children` lists all successors of a node; these functions distinguish those inside it
 * (the steps of a template, the calls of a loop, the attempts of a retry, the containers of a set) from those that only
 * follow it.
 */
import type { NodeStatus, NodeType } from "../api/mod.ts";
import type { NodeGraph } from "./graph.ts";
import { Levels } from "./levels.ts";
import { onExitNodeName } from "./names.ts";

/** The nodes of a workflow with the node that contains each. */
export class NodeFamily {
  readonly graph: NodeGraph;
  readonly #holders = new Map<string, NodeStatus | undefined>();
  readonly #inner = new Map<string, NodeStatus[]>();
  readonly #hooked = new Map<string, NodeStatus>();
  readonly #groups = new Map<string, NodeStatus>();

  constructor(graph: NodeGraph) {
    this.graph = graph;
    for (const node of graph.nodes.values()) this.#recordChildren(node);
    for (const node of graph.nodes.values()) this.#recordHolder(node);
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

  /** Returns the node that contains a node; undefined for the root, and for hooks of the workflow. */
  holderOf(node: NodeStatus): NodeStatus | undefined {
    return this.#holders.get(node.id);
  }

  /** Returns the nodes directly inside of a node. */
  innerOf(node: NodeStatus): readonly NodeStatus[] {
    return this.#inner.get(node.id) ?? [];
  }

  /**
   * Returns the steps or DAG node that contains a node, skipping groups and retries; undefined for the root, and for
   * hooks of the workflow.
   */
  templateNodeOf(node: NodeStatus): NodeStatus | undefined {
    let holder = this.holderOf(node);
    while (holder && GROUPS.has(holder.type)) holder = this.holderOf(holder);
    return holder;
  }

  /** Whether a node is inside of another, at any depth. Every node is inside of the workflow (undefined). */
  isInside(node: NodeStatus, holder: NodeStatus | undefined): boolean {
    if (!holder) return true;
    let above = this.holderOf(node);
    while (above && above !== holder) above = this.holderOf(above);
    return above === holder;
  }

  /** Returns all nodes after a node, or inside of it. */
  below(node: NodeStatus): NodeStatus[] {
    const found = new Set(this.graph.inOrderFrom(node));
    for (const node of found) for (const inner of this.innerOf(node)) found.add(inner); // grows while it is walked
    found.delete(node);
    return [...found];
  }

  /** Returns the attempts of a Retry node, first to last. */
  attemptsOf(node: NodeStatus): NodeStatus[] {
    if (node.type !== "Retry") return [];
    return this.graph.childrenOf(node).filter((child) => !this.#hooked.has(child.id) && containsChild(node, child));
  }

  /** Returns the node that a hook or exit handler belongs to. */
  ownerOfHook(node: NodeStatus): NodeStatus | undefined {
    return this.#hooked.get(node.id);
  }

  /** Returns the hooks of a node, and its exit handler. */
  hooksOf(node: NodeStatus): NodeStatus[] {
    const handler = onExitNodeName(node.name);
    return this.graph.childrenOf(node).filter(({ id, name }) => this.#hooked.get(id) === node || name === handler);
  }

  /**
   * Returns the first nodes, on each path, that ran after a node because it had ended: neither those inside of it nor
   * its hooks.
   */
  nextOf(node: NodeStatus): NodeStatus[] {
    const own = this.#ownOf(node);
    return [...own].flatMap((node) => this.graph.childrenOf(node)).filter((child) => !own.has(child));
  }

  /**
   * Returns a node, the nodes inside of it, and its hooks with the nodes inside of those. A hook is a sibling of its
   * node.
   */
  #ownOf(node: NodeStatus): Set<NodeStatus> {
    const own = new Set([node]);
    for (const node of own) { // grows while it is walked
      for (const inner of this.innerOf(node)) own.add(inner);
      for (const child of this.graph.childrenOf(node)) if (this.#hooked.has(child.id)) own.add(child);
    }
    return own;
  }

  #recordChildren(node: NodeStatus): void {
    for (const child of this.graph.childrenOf(node)) {
      // An attempt of a hook has both flags.
      if (child.nodeFlag?.hooked && !child.nodeFlag.retried) this.#hooked.set(child.id, node);
      else if (containsChild(node, child)) this.#groups.set(child.id, node);
    }
  }

  /**
   * Records the container of a node. A hook has the same container as its node. Hooks of each other, in a manually
   * edited status, have the container of one of them.
   */
  #recordHolder(node: NodeStatus): void {
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
 * Returns the exit handler of a workflow, and all its nodes: the node with exactly its name that is in no other node. A
 * task may have a name with the same prefix.
 */
export function exitHandlerNodes(workflowName: string, family: NodeFamily): NodeStatus[] {
  const name = onExitNodeName(workflowName);
  for (const node of family.graph.nodes.values()) {
    if (node.name === name && !node.boundaryID) return [node, ...family.below(node)];
  }
  return [];
}

const GROUPS: ReadonlySet<NodeType> = new Set(["StepGroup", "TaskGroup", "Retry"]);

/**
 * Whether a child is inside of a node and does not follow it. The next node after an empty group is a child of that
 * group.
 */
function containsChild(parent: NodeStatus, child: NodeStatus): boolean {
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

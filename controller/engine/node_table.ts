/**
 * The nodes of a workflow during a pass: the table of the last write plus what this pass changed. A node is never
 * mutated, it is replaced, so "what changed" is known without comparing, and an untouched node costs nothing.
 */
import type { NodeStatus } from "../../lib/api/mod.ts";
import { nodeID } from "../../lib/template/mod.ts";

/** A table of nodes with the two look-ups the engine needs: by ID (or name), and by boundary. */
export class NodeTable {
  readonly #workflowName: string;
  readonly #nodes: Map<string, NodeStatus>;
  readonly #byBoundary = new Map<string, Set<string>>();
  readonly #ids = new Map<string, string>();
  readonly #changed = new Set<string>();
  /** Lists of children that this table made itself and may therefore grow in place: many children cost no copies. */
  readonly #grown = new Map<string, { readonly list: string[]; readonly members: Set<string> }>();

  constructor(workflowName: string, nodes: Readonly<Record<string, NodeStatus>> | undefined) {
    this.#workflowName = workflowName;
    this.#nodes = new Map(Object.entries(nodes ?? {}));
    for (const node of this.#nodes.values()) this.#index(node);
  }

  /** The ID of the node with this name, whether or not there is one. */
  idOf(name: string): string {
    let id = this.#ids.get(name);
    if (id === undefined) this.#ids.set(name, id = nodeID(this.#workflowName, name));
    return id;
  }

  get(id: string): NodeStatus | undefined {
    return this.#nodes.get(id);
  }

  byName(name: string): NodeStatus | undefined {
    return this.#nodes.get(this.idOf(name));
  }

  all(): IterableIterator<NodeStatus> {
    return this.#nodes.values();
  }

  /** The nodes that belong to a steps or DAG node. */
  *withBoundary(boundaryId: string): Generator<NodeStatus> {
    for (const id of this.#byBoundary.get(boundaryId) ?? []) yield this.#nodes.get(id)!;
  }

  /** Puts a node in place of the one with its ID. */
  set(node: NodeStatus): NodeStatus {
    if (!this.#nodes.has(node.id)) this.#index(node);
    this.#nodes.set(node.id, node);
    this.#changed.add(node.id);
    return node;
  }

  /** Replaces some fields of a node; the same node comes back when they already are so. */
  update(id: string, fields: Partial<NodeStatus>): NodeStatus {
    const node = this.#nodes.get(id);
    if (!node) throw new Error(`No node ${id} to update`);
    const differs = (Object.keys(fields) as (keyof NodeStatus)[]).some((key) => node[key] !== fields[key]);
    return differs ? this.set(withoutUndefined({ ...node, ...fields })) : node;
  }

  /** Adds a child to a node, once. */
  addChild(parentId: string, childId: string): void {
    const parent = this.#nodes.get(parentId);
    if (!parent) throw new Error(`No node ${parentId} to be the parent of ${childId}`);
    let grown = this.#grown.get(parentId);
    if (!grown || grown.list !== parent.children) {
      if (parent.children?.includes(childId)) return;
      const list = [...parent.children ?? []];
      grown = { list, members: new Set(list) };
      this.#grown.set(parentId, grown);
      this.set({ ...parent, children: list });
    }
    if (grown.members.has(childId)) return;
    grown.members.add(childId);
    grown.list.push(childId);
    this.#changed.add(parentId);
  }

  /** The IDs of the nodes that were set since the table was made. */
  get changed(): ReadonlySet<string> {
    return this.#changed;
  }

  /** All nodes as the status holds them. */
  toRecord(): Record<string, NodeStatus> {
    return Object.fromEntries(this.#nodes);
  }

  #index(node: NodeStatus): void {
    if (!node.boundaryID) return;
    let members = this.#byBoundary.get(node.boundaryID);
    if (!members) this.#byBoundary.set(node.boundaryID, members = new Set());
    members.add(node.id);
  }
}

function withoutUndefined(node: NodeStatus): NodeStatus {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as unknown as NodeStatus;
}

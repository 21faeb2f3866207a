/**
 * The nodes of a workflow during a pass: the table of the last write plus what this pass changed. A node is never
 * mutated, it is replaced, so "what changed" is known without comparing, and an untouched node costs nothing. Between
 * passes the table is kept, so that a pass does not begin with all nodes: it remembers what it replaced, and takes that
 * back when the pass came to nothing.
 */
import type { NodeStatus } from "../../lib/api/mod.ts";
import { ChangeLog } from "./change_log.ts";
import { isFailure } from "./node_state.ts";
import { nodeID } from "../../lib/template/mod.ts";

type Nodes = Readonly<Record<string, NodeStatus>>;

/** The children of a node as a set, as long as the node's list is this one. */
interface Members {
  list: readonly string[];
  readonly set: Set<string>;
  /** Whether this pass made the list, and may therefore grow it in place: many children cost no copies. */
  grows: boolean;
}

/** A table of nodes with the two look-ups the engine needs: by ID (or name), and by boundary. */
export class NodeTable {
  /** The IDs of the nodes that became other ones, when a change is taken back too. */
  readonly log = new ChangeLog();
  readonly #workflowName: string;
  readonly #nodes: Map<string, NodeStatus>;
  readonly #byBoundary = new Map<string, Set<string>>();
  /** The calls of each boundary that are under way, and those that failed: what limits and `failFast` ask for all the time. */
  readonly #active = new Map<string, Set<string>>();
  readonly #failed = new Map<string, Set<string>>();
  readonly #ids = new Map<string, string>();
  readonly #members = new Map<string, Members>();
  /** What a node was before this pass touched it. */
  readonly #replaced = new Map<string, NodeStatus | undefined>();
  #replacedBefore: ReadonlySet<string> | undefined;
  #changes = 0;
  #passes = 1;
  /** The nodes as this pass found them, and as it left them. */
  #before: Nodes | undefined;
  #after: Nodes | undefined;

  constructor(workflowName: string, nodes: Nodes | undefined) {
    this.#workflowName = workflowName;
    this.#before = nodes;
    this.#nodes = new Map(Object.entries(nodes ?? {}));
    for (const node of this.#nodes.values()) this.#index(node);
  }

  /**
   * A table of these nodes: the one of an earlier pass, where that pass began with these very nodes or ended with them,
   * else a new one.
   */
  static of(workflowName: string, nodes: Nodes | undefined, known: NodeTable | undefined): NodeTable {
    return nodes && known && known.#continueWith(nodes) ? known : new NodeTable(workflowName, nodes);
  }

  #continueWith(nodes: Nodes): boolean {
    if (nodes === this.#after) this.#before = nodes;
    else if (nodes !== this.#before) return false;
    else for (const [id, node] of this.#replaced) this.#restore(id, node);
    this.#passes++;
    this.#replacedBefore = new Set(this.#replaced.keys());
    this.#replaced.clear();
    this.#after = undefined;
    for (const members of this.#members.values()) members.grows = false;
    return true;
  }

  #restore(id: string, node: NodeStatus | undefined): void {
    this.log.note(id);
    this.#members.delete(id);
    this.#sort(id, node ?? this.#nodes.get(id)!, node !== undefined);
    if (node) return void this.#nodes.set(id, node);
    this.#byBoundary.get(this.#nodes.get(id)?.boundaryID ?? "")?.delete(id);
    this.#nodes.delete(id);
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

  /** The IDs of the pods, steps and DAGs of a steps or DAG node that are pending or running. */
  activeIn(boundaryId: string): ReadonlySet<string> {
    return this.#active.get(boundaryId) ?? NONE;
  }

  /** Whether a pod, steps or DAG of a steps or DAG node has failed. */
  hasFailed(boundaryId: string): boolean {
    return Boolean(this.#failed.get(boundaryId)?.size);
  }

  /** Puts a node in place of the one with its ID. */
  set(node: NodeStatus): NodeStatus {
    this.#changes++;
    this.log.note(node.id);
    const old = this.#nodes.get(node.id);
    if (!old) this.#index(node);
    if (!this.#replaced.has(node.id)) this.#replaced.set(node.id, old);
    this.#nodes.set(node.id, node);
    this.#sort(node.id, node, true);
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
    let members = this.#members.get(parentId);
    if (!members || members.list !== parent.children) {
      const list = parent.children ?? [];
      this.#members.set(parentId, members = { list, set: new Set(list), grows: false });
    }
    if (members.set.has(childId)) return;
    members.set.add(childId);
    if (members.grows) (members.list as string[]).push(childId);
    else {
      const list = [...members.list, childId];
      Object.assign(members, { list, grows: true });
      this.set({ ...parent, children: list });
    }
  }

  /** How often a node was replaced: a number to compare. */
  get changes(): number {
    return this.#changes;
  }

  /** How many passes have used this table: a number to compare. */
  get passes(): number {
    return this.#passes;
  }

  /** The nodes that this pass touched, by ID, as they were before. */
  get changed(): ReadonlyMap<string, NodeStatus | undefined> {
    return this.#replaced;
  }

  /** The IDs of the nodes that the pass before touched, whatever came of it; undefined in the first pass with this table. */
  get replacedBefore(): ReadonlySet<string> | undefined {
    return this.#replacedBefore;
  }

  ids(): IterableIterator<string> {
    return this.#nodes.keys();
  }

  /** All nodes as the status holds them. */
  toRecord(): Record<string, NodeStatus> {
    // Quicker than a spread when there are thousands.
    const record: Record<string, NodeStatus> = Object.assign({}, this.#before);
    for (const id of this.#replaced.keys()) record[id] = this.#nodes.get(id)!;
    this.#after = record;
    return record;
  }

  /** Keeps a node among those that are under way and those that failed, where it is there and belongs to them. */
  #sort(id: string, { boundaryID, type, phase }: NodeStatus, isThere: boolean): void {
    if (!boundaryID || !CALLS.has(type)) return;
    keep(this.#active, boundaryID, id, isThere && (phase === "Pending" || phase === "Running"));
    keep(this.#failed, boundaryID, id, isThere && isFailure(phase));
  }

  #index(node: NodeStatus): void {
    this.#sort(node.id, node, true);
    if (!node.boundaryID) return;
    let members = this.#byBoundary.get(node.boundaryID);
    if (!members) this.#byBoundary.set(node.boundaryID, members = new Set());
    members.add(node.id);
  }
}

/** Nodes that count as calls of the template around them. */
const CALLS: ReadonlySet<NodeStatus["type"]> = new Set(["Pod", "Steps", "DAG"]);
const NONE: ReadonlySet<string> = new Set();

function keep(sets: Map<string, Set<string>>, key: string, id: string, isIn: boolean): void {
  let set = sets.get(key);
  if (!isIn) return void set?.delete(id);
  if (!set) sets.set(key, set = new Set());
  set.add(id);
}

function withoutUndefined(node: NodeStatus): NodeStatus {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as unknown as NodeStatus;
}

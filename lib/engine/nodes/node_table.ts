/**
 * The nodes of a workflow during a pass: the table of the last write plus what this pass changed. A node is never
 * mutated, it is replaced, so "what changed" is known without comparing, an untouched node costs nothing, and whoever
 * holds a node, or an answer of an earlier pass, holds what it was. Between passes the table is kept, so that a pass does
 * not begin with all nodes: it remembers what it replaced, and takes that back when the pass came to nothing.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { isFailure, isOver, loopHolderName, nodeID, widerNodeID, withoutAttemptOrHook } from "@tiphys/model/status";
import { ChangeLog } from "../due/change_log.ts";
import { ID_BYTES, nodeSize } from "./node_size.ts";

type Stored = Readonly<Record<string, NodeStatus>>;

/** The children of a node as a set, as long as the node's list is this one. */
interface Members {
  list: readonly string[];
  readonly set: Set<string>;
}

/** The nodes as they are to be written. */
export interface NodesAfter {
  /** The nodes that may differ from what they were, by ID; all others are the same. */
  readonly changed: ReadonlyMap<string, NodeStatus>;
  /** All nodes as the status holds them; the same object each time. Of many nodes this is a copy that takes a while. */
  record(): Record<string, NodeStatus>;
  /**
   * All nodes, now that they are written. From the second time on this is the record of the write before, brought up to
   * date: it takes as long as there are changes, and nobody may hold that one for what was.
   */
  keep(): Record<string, NodeStatus>;
  /** Whether these are still the nodes of the table: no other pass went on with it. */
  isNow(): boolean;
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
  /** The open nodes in each node that others lie in, and those of the latter that are over: what was left behind in them. */
  readonly #open = new Map<string, Set<string>>();
  readonly #leftBehind = new Set<string>();
  readonly #calls = new Map<string, number>();
  /** The IDs of the nodes that exist, and the usual IDs of other names that were looked up, by name. */
  readonly #ids = new Map<string, string>();
  /** The place of each node in the order in which the status has them, by node ID. */
  readonly #places = new Map<string, number>();
  #nextPlace = 0;
  readonly #members = new Map<string, Members>();
  /** New children of nodes, gathered until somebody looks at the node: many children cost no copies of the list. */
  readonly #newChildren = new Map<string, string[]>();
  /** The nodes that this pass has touched, by ID, as they were before; undefined for a node that is new. */
  readonly #replaced = new Map<string, NodeStatus | undefined>();
  #replacedBefore: ReadonlySet<string> | undefined;
  #bytes = 0;
  #passes = 1;
  /** The nodes as this pass found them, and as it left them. */
  #before: Stored | undefined;
  #after: Stored | undefined;
  /** The record that was made here to be kept, and is brought up to date in place. */
  #kept: Record<string, NodeStatus> | undefined;

  constructor(workflowName: string, nodes: Stored | undefined) {
    this.#workflowName = workflowName;
    this.#before = nodes;
    this.#nodes = new Map(Object.entries(nodes ?? {}));
    // First of all: the indexes below look nodes up by name.
    for (const { id, name } of this.#nodes.values()) this.#nameNode(id, name);
    for (const node of this.#nodes.values()) {
      this.#index(node);
      this.#bytes += nodeSize(node);
    }
  }

  /** The number of nodes. */
  get size(): number {
    return this.#nodes.size;
  }

  /** The approximate size of all nodes together in bytes of JSON. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * A table of these nodes: the one of an earlier pass, where that pass began with these very nodes or ended with them,
   * else a new one.
   */
  static of(workflowName: string, nodes: Stored | undefined, known: NodeTable | undefined): NodeTable {
    return nodes && known && known.#continueWith(nodes) ? known : new NodeTable(workflowName, nodes);
  }

  #continueWith(nodes: Stored): boolean {
    this.#hangAll();
    if (nodes === this.#after) this.#before = nodes;
    else if (nodes !== this.#before) return false;
    // Backwards: where a node lies is known as long as what it lies in is there.
    else for (const [id, node] of [...this.#replaced].reverse()) this.#restore(id, node);
    this.#passes++;
    this.#replacedBefore = new Set(this.#replaced.keys());
    this.#replaced.clear();
    this.#after = undefined;
    return true;
  }

  #restore(id: string, node: NodeStatus | undefined): void {
    this.log.note(id);
    this.#sort(id, node ?? this.#nodes.get(id)!, node !== undefined);
    this.#bytes += (node ? nodeSize(node) : 0) - nodeSize(this.#nodes.get(id)!);
    if (node) return void this.#nodes.set(id, node);
    const { name, boundaryID = "" } = this.#nodes.get(id)!;
    this.#byBoundary.get(boundaryID)?.delete(id);
    this.#ids.delete(name);
    this.#nodes.delete(id);
    this.#members.delete(id);
    this.#places.delete(id);
  }

  /**
   * The ID of the node with this name. If there is none, the ID that it would get if it were added now: the usual one,
   * or a wider one while a node with another name has it. Adding a node may change that, so do not keep the ID of a node
   * that does not exist.
   */
  idOf(name: string): string {
    const id = this.#knownId(name);
    const holder = this.#nodes.get(id);
    return holder === undefined || this.#isNamed(holder, name) ? id : this.#widerId(name);
  }

  #knownId(name: string): string {
    let id = this.#ids.get(name);
    if (id === undefined) this.#ids.set(name, id = nodeID(this.#workflowName, name));
    return id;
  }

  /** Whether a node found under the ID of a name is the one with that name; the ID of the root is the root's alone. */
  #isNamed(node: NodeStatus, name: string): boolean {
    return node.name === name || name === this.#workflowName;
  }

  #widerId(name: string): string {
    return widerNodeID(this.#workflowName, name, (id) => {
      const holder = this.#nodes.get(id);
      return holder !== undefined && holder.name !== name;
    });
  }

  /** Notes the ID of a node. Of several nodes with one name, which only a forged status has, the usual ID counts. */
  #nameNode(id: string, name: string): void {
    const known = this.#ids.get(name);
    if (known === id || name === this.#workflowName) return;
    if (known === undefined || id === nodeID(this.#workflowName, name)) this.#ids.set(name, id);
  }

  get(id: string): NodeStatus | undefined {
    if (this.#newChildren.size) this.#hang(id);
    return this.#nodes.get(id);
  }

  byName(name: string): NodeStatus | undefined {
    const node = this.get(this.#knownId(name));
    return node && this.#isNamed(node, name) ? node : undefined;
  }

  /** Whether there is a node, and of which type; without its children this costs less than the node. */
  typeOf(id: string): NodeStatus["type"] | undefined {
    return this.#nodes.get(id)?.type;
  }

  /** The name of a node, if there is one. */
  nameOf(id: string): string | undefined {
    return this.#nodes.get(id)?.name;
  }

  all(): IterableIterator<NodeStatus> {
    this.#hangAll();
    return this.#nodes.values();
  }

  /** The nodes that belong to a steps or DAG node. */
  *withBoundary(boundaryId: string): Generator<NodeStatus> {
    this.#hangAll();
    for (const id of this.#byBoundary.get(boundaryId) ?? []) yield this.#nodes.get(id)!;
  }

  /** The IDs of the pods, steps and DAGs of a steps or DAG node that are pending or running, without daemons that are up. */
  activeIn(boundaryId: string): ReadonlySet<string> {
    return this.#active.get(boundaryId) ?? NONE;
  }

  /** Whether a pod, steps or DAG of a steps or DAG node has failed. */
  hasFailed(boundaryId: string): boolean {
    return Boolean(this.#failed.get(boundaryId)?.size);
  }

  /** The IDs of the open nodes that lie in a node: in a steps or DAG node, a loop, a Retry node, or, with "", in none. */
  openIn(id: string): ReadonlySet<string> {
    return this.#open.get(id) ?? NONE;
  }

  /** The IDs of the nodes that are over and have open nodes in them. */
  get leftBehind(): ReadonlySet<string> {
    return this.#leftBehind;
  }

  /** A number that is another one when something about the calls of a steps or DAG node may be another. */
  callsOf(boundaryId: string): number {
    return this.#calls.get(boundaryId) ?? 0;
  }

  /** Something about a node changed that the table does not see, as its pod. */
  noteCallOf(id: string): void {
    const boundaryId = this.#nodes.get(id)?.boundaryID;
    if (boundaryId) this.#noteCall(boundaryId);
  }

  #noteCall(boundaryId: string): void {
    this.#calls.set(boundaryId, this.callsOf(boundaryId) + 1);
  }

  /** Puts a node in place of the one with its ID. */
  set(node: NodeStatus): NodeStatus {
    this.#hang(node.id);
    this.log.note(node.id);
    const old = this.#nodes.get(node.id);
    this.#bytes += nodeSize(node) - (old ? nodeSize(old) : 0);
    if (!old) {
      this.#ids.set(node.name, node.id);
      this.#index(node);
    }
    if (!this.#replaced.has(node.id)) this.#replaced.set(node.id, old);
    this.#nodes.set(node.id, node);
    this.#sort(node.id, node, true);
    return node;
  }

  /** Replaces some fields of a node; the same node comes back when they already are so. */
  update(id: string, fields: Partial<NodeStatus>): NodeStatus {
    const node = this.get(id);
    if (!node) throw new Error(`No node ${id} to update`);
    const differs = (Object.keys(fields) as (keyof NodeStatus)[]).some((key) => node[key] !== fields[key]);
    return differs ? this.set(withoutUndefined({ ...node, ...fields })) : node;
  }

  /** Adds a child to a node; false when it is one already. */
  addChild(parentId: string, childId: string): boolean {
    const parent = this.#nodes.get(parentId);
    if (!parent) throw new Error(`No node ${parentId} to be the parent of ${childId}`);
    const list = parent.children ?? NO_CHILDREN;
    let members = this.#members.get(parentId);
    if (members?.list !== list) this.#members.set(parentId, members = { list, set: new Set(list) });
    if (members.set.has(childId)) return false;
    members.set.add(childId);
    this.#bytes += ID_BYTES;
    const gathered = this.#newChildren.get(parentId);
    if (gathered) {
      gathered.push(childId);
      return true;
    }
    this.#newChildren.set(parentId, [childId]);
    this.log.note(parentId);
    if (!this.#replaced.has(parentId)) this.#replaced.set(parentId, parent);
    return true;
  }

  /** Gives a node the children that were gathered for it. */
  #hang(parentId: string): void {
    const gathered = this.#newChildren.get(parentId);
    if (!gathered) return;
    this.#newChildren.delete(parentId);
    const parent = this.#nodes.get(parentId)!;
    const list = [...parent.children ?? [], ...gathered];
    const members = this.#members.get(parentId);
    if (members) members.list = list;
    this.#nodes.set(parentId, { ...parent, children: list });
  }

  #hangAll(): void {
    for (const parentId of this.#newChildren.keys()) this.#hang(parentId);
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

  /** IDs in the order of their nodes, whatever the order they came in; those that no node has are the last. */
  inOrder(ids: Iterable<string>): string[] {
    const placeOf = (id: string) => this.#places.get(id) ?? Infinity;
    return [...ids].sort((a, b) => {
      const [first, second] = [placeOf(a), placeOf(b)];
      return first === second ? (a < b ? -1 : 1) : first - second;
    });
  }

  /** The nodes as they are now, whatever becomes of the table. All together they are made when they are asked for. */
  after(): NodesAfter {
    this.#hangAll();
    const before = this.#before;
    const pass = this.#passes;
    const changed = new Map<string, NodeStatus>();
    for (const id of this.#replaced.keys()) changed.set(id, this.#nodes.get(id)!);
    let record: Record<string, NodeStatus> | undefined;
    let isKept = false;
    const make = () => {
      // Quicker than a spread when there are thousands.
      const made: Record<string, NodeStatus> = Object.assign({}, before);
      for (const [id, node] of changed) made[id] = node;
      if (pass === this.#passes && !isKept) this.#after = made;
      return made;
    };
    const keep = () => {
      if (record !== undefined || pass !== this.#passes) return record ??= make();
      if (before === undefined || before !== this.#kept) this.#kept = make();
      else for (const [id, node] of changed) this.#kept[id] = node;
      isKept = true;
      return this.#after = this.#kept;
    };
    return {
      changed,
      record: () => record ??= make(),
      keep,
      isNow: () => pass === this.#passes,
    };
  }

  /** Keeps a node among those that are under way and those that failed, where it is there and belongs to them. */
  #sort(id: string, node: NodeStatus, isThere: boolean): void {
    this.#sortOpen(id, node, isThere);
    const { boundaryID, type, phase, daemoned } = node;
    if (!boundaryID || !CALLS.has(type)) return;
    this.#noteCall(boundaryID);
    keep(this.#active, boundaryID, id, isThere && !daemoned && (phase === "Pending" || phase === "Running"));
    keep(this.#failed, boundaryID, id, isThere && isFailure(phase));
  }

  #sortOpen(id: string, node: NodeStatus, isThere: boolean): void {
    // A daemon that was given an end while it was up serves on until it is ended.
    const isOpen = isThere && (node.phase === "Pending" || node.phase === "Running" || node.daemoned === true);
    for (const holder of this.#holdersOf(node)) {
      keep(this.#open, holder, id, isOpen);
      this.#judge(holder, this.#nodes.get(holder));
    }
    if (this.#open.has(id)) this.#judge(id, isThere ? node : undefined);
  }

  /** Keeps a node among those in which something was left behind, where that is so. */
  #judge(id: string, node: NodeStatus | undefined): void {
    const isLeft = node !== undefined && !node.daemoned && isOver(node) && this.openIn(id).size > 0;
    if (isLeft) this.#leftBehind.add(id);
    else this.#leftBehind.delete(id);
  }

  /** The nodes that a node lies in: its boundary, of an attempt the Retry node, of a loop's call its loop. */
  #holdersOf({ name, boundaryID, nodeFlag }: NodeStatus): string[] {
    const holders = [boundaryID ?? ""];
    if (nodeFlag?.retried) {
      // The containers of an attempt bear its flag.
      const retryName = withoutAttemptOrHook(name);
      if (retryName !== name) holders.push(this.idOf(retryName));
    }
    const boundary = boundaryID && name.includes(":") ? this.#nodes.get(boundaryID) : undefined;
    if (boundary?.type === "DAG") {
      const loop = loopHolderName(name, boundary.name);
      if (loop !== name) holders.push(this.idOf(loop));
    }
    return holders;
  }

  #index(node: NodeStatus): void {
    this.#places.set(node.id, this.#nextPlace++);
    this.#sort(node.id, node, true);
    if (!node.boundaryID) return;
    let members = this.#byBoundary.get(node.boundaryID);
    if (!members) this.#byBoundary.set(node.boundaryID, members = new Set());
    members.add(node.id);
  }
}

/** A table that is only read. */
export type Nodes = Omit<NodeTable, "set" | "update" | "addChild">;

/** Nodes that count as calls of the template around them. */
const CALLS: ReadonlySet<NodeStatus["type"]> = new Set(["Pod", "Steps", "DAG"]);
const NONE: ReadonlySet<string> = new Set();
const NO_CHILDREN: readonly string[] = [];

function keep(sets: Map<string, Set<string>>, key: string, id: string, isIn: boolean): void {
  let set = sets.get(key);
  if (!isIn) return void set?.delete(id);
  if (!set) sets.set(key, set = new Set());
  set.add(id);
}

function withoutUndefined(node: NodeStatus): NodeStatus {
  if (!(Object.values(node) as unknown[]).includes(undefined)) return node;
  // deno-lint-ignore tiphys/no-double-cast -- the same fields, but those that hold nothing
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as unknown as NodeStatus;
}

/**
 * The nodes of a workflow during a pass: the table of the last write with the changes of this pass. Nodes are immutable
 * and are replaced, so changes are known without comparison, unchanged nodes have no cost, and nodes of earlier passes
 * stay valid. The table is kept between passes so that a pass does not start with all nodes: it records what it
 * replaced, and restores that if the pass is discarded.
 */
import type { NodeStatus } from "@tiphys/model/api";
import {
  isFailure,
  isOver,
  loopHolderName,
  nodeID,
  nodeTypesOf,
  widerNodeID,
  withoutAttemptOrHook,
} from "@tiphys/model/status";
import { ChangeLog } from "./change_log.ts";
import { ID_BYTES, nodeSize } from "./node_size.ts";

type NodeRecord = Readonly<Record<string, NodeStatus>>;

/** The children of a node as a set, valid as long as the node's list is `list`. */
interface Members {
  list: readonly string[];
  readonly set: Set<string>;
}

/** The nodes to write. */
export interface NodesSnapshot {
  /** The nodes that may have changed, by ID, with their previous values. All others are unchanged. */
  readonly changed: ReadonlyMap<string, NodeStatus>;
  /** All nodes for the status, as the same object each time. For many nodes this is an expensive copy. */
  record(): Record<string, NodeStatus>;
  /**
   * All nodes, after they were written. From the second time on, this updates the record of the previous write in
   * place, in time proportional to the changes, so the previous record must no longer be used.
   */
  recordInPlace(): Record<string, NodeStatus>;
  /** Whether the table still has these nodes: no other pass has changed it. */
  isCurrent(): boolean;
}

/** A table of nodes with lookups by ID or name, and by boundary. */
export class NodeTable {
  /** The IDs of replaced nodes, including those that were restored. */
  readonly log = new ChangeLog();
  readonly #workflowName: string;
  readonly #nodes: Map<string, NodeStatus>;
  readonly #byBoundary = new Map<string, Set<string>>();
  /** The calls of each boundary that are in progress, and those that failed, which limits and `failFast` need often. */
  readonly #active = new Map<string, Set<string>>();
  readonly #failed = new Map<string, Set<string>>();
  /** The open nodes inside each node, and the ended nodes with open nodes inside. */
  readonly #open = new Map<string, Set<string>>();
  readonly #endedWithOpenNodes = new Set<string>();
  readonly #callVersions = new Map<string, number>();
  /** The IDs of existing nodes by name, and the default IDs of other names that were looked up. */
  readonly #ids = new Map<string, string>();
  /** The index of each node in the order of the status, by node ID. */
  readonly #positions = new Map<string, number>();
  #nextPosition = 0;
  readonly #members = new Map<string, Members>();
  /** New children of nodes, collected until the node is read, so that many children do not copy the list each time. */
  readonly #newChildren = new Map<string, string[]>();
  /** The previous values of nodes that this pass has replaced, by ID; undefined for a new node. */
  readonly #replaced = new Map<string, NodeStatus | undefined>();
  #replacedInPreviousPass: ReadonlySet<string> | undefined;
  #hasResultOfPreviousPass = false;
  #bytes = 0;
  #passes = 1;
  /** The nodes at the start and at the end of this pass. */
  #before: NodeRecord | undefined;
  #after: NodeRecord | undefined;
  /** The record that is updated in place. */
  #inPlaceRecord: Record<string, NodeStatus> | undefined;

  constructor(workflowName: string, nodes: NodeRecord | undefined) {
    this.#workflowName = workflowName;
    this.#before = nodes;
    this.#nodes = new Map(Object.entries(nodes ?? {}));
    // Names come first, because the indexes below look up nodes by name.
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
   * Returns a table of these nodes: that of an earlier pass if it started or ended with exactly these nodes, otherwise
   * a new one.
   */
  static reuseOrCreate(
    workflowName: string,
    nodes: NodeRecord | undefined,
    previous: NodeTable | undefined,
  ): NodeTable {
    return nodes && previous && previous.#tryReuse(nodes) ? previous : new NodeTable(workflowName, nodes);
  }

  #tryReuse(nodes: NodeRecord): boolean {
    this.#flushAllChildren();
    this.#hasResultOfPreviousPass = nodes === this.#after;
    if (this.#hasResultOfPreviousPass) this.#before = nodes;
    else if (nodes !== this.#before) return false;
    // In reverse order: the node around a node must exist to update its indexes.
    else for (const [id, node] of [...this.#replaced].reverse()) this.#restore(id, node);
    this.#passes++;
    this.#replacedInPreviousPass = new Set(this.#replaced.keys());
    this.#replaced.clear();
    this.#after = undefined;
    return true;
  }

  #restore(id: string, node: NodeStatus | undefined): void {
    this.log.add(id);
    this.#updateIndexes(id, node ?? this.#nodes.get(id)!, node !== undefined);
    this.#bytes += (node ? nodeSize(node) : 0) - nodeSize(this.#nodes.get(id)!);
    if (node) return void this.#nodes.set(id, node);
    const { name, boundaryID = "" } = this.#nodes.get(id)!;
    this.#byBoundary.get(boundaryID)?.delete(id);
    this.#ids.delete(name);
    this.#nodes.delete(id);
    this.#members.delete(id);
    this.#positions.delete(id);
  }

  /**
   * The ID of the node with this name. If it does not exist, the ID that it would get now: the default ID, or a wider
   * one if another node has that. Adding a node may change the result, so the ID of a node that does not exist must not
   * be stored.
   */
  idOf(name: string): string {
    const id = this.#cachedId(name);
    const holder = this.#nodes.get(id);
    return holder === undefined || this.#isNamed(holder, name) ? id : this.#widerId(name);
  }

  #cachedId(name: string): string {
    let id = this.#ids.get(name);
    if (id === undefined) this.#ids.set(name, id = nodeID(this.#workflowName, name));
    return id;
  }

  /** Reports whether a node with the ID of a name has that name. The ID of the root is reserved for it. */
  #isNamed(node: NodeStatus, name: string): boolean {
    return node.name === name || name === this.#workflowName;
  }

  #widerId(name: string): string {
    return widerNodeID(this.#workflowName, name, (id) => {
      const holder = this.#nodes.get(id);
      return holder !== undefined && holder.name !== name;
    });
  }

  /**
   * Records the ID of a node. If several nodes have one name, as in a forged status, the one with the default ID is
   * used.
   */
  #nameNode(id: string, name: string): void {
    const known = this.#ids.get(name);
    if (known === id || name === this.#workflowName) return;
    if (known === undefined || id === nodeID(this.#workflowName, name)) this.#ids.set(name, id);
  }

  get(id: string): NodeStatus | undefined {
    if (this.#newChildren.size) this.#flushChildren(id);
    return this.#nodes.get(id);
  }

  byName(name: string): NodeStatus | undefined {
    const node = this.get(this.#cachedId(name));
    return node && this.#isNamed(node, name) ? node : undefined;
  }

  /** The type of a node, if it exists. Cheaper than the node, because its children are not collected. */
  typeOf(id: string): NodeStatus["type"] | undefined {
    return this.#nodes.get(id)?.type;
  }

  /** The name of a node, if it exists. */
  nameOf(id: string): string | undefined {
    return this.#nodes.get(id)?.name;
  }

  all(): IterableIterator<NodeStatus> {
    this.#flushAllChildren();
    return this.#nodes.values();
  }

  /** The nodes inside a steps or DAG node. */
  *withBoundary(boundaryId: string): Generator<NodeStatus> {
    this.#flushAllChildren();
    for (const id of this.#byBoundary.get(boundaryId) ?? []) yield this.#nodes.get(id)!;
  }

  /** The IDs of pending and running pods, steps and DAGs inside a steps or DAG node, without ready daemons. */
  activeIn(boundaryId: string): ReadonlySet<string> {
    return this.#active.get(boundaryId) ?? NO_IDS;
  }

  /** Reports whether a pod, steps or DAG inside a steps or DAG node has failed. */
  hasFailed(boundaryId: string): boolean {
    return Boolean(this.#failed.get(boundaryId)?.size);
  }

  /**
   * The IDs of the open nodes inside a steps or DAG node, a loop or a Retry node; with "", of those without a boundary.
   */
  openIn(id: string): ReadonlySet<string> {
    return this.#open.get(id) ?? NO_IDS;
  }

  /** The IDs of ended nodes with open nodes inside. */
  get endedWithOpenNodes(): ReadonlySet<string> {
    return this.#endedWithOpenNodes;
  }

  /** The version of the calls of a steps or DAG node: a number that changes whenever they may have changed. */
  callVersion(boundaryId: string): number {
    return this.#callVersions.get(boundaryId) ?? 0;
  }

  /** Records a change of a node that is not in the table, such as one of its pod. */
  noteCallChange(id: string): void {
    const boundaryId = this.#nodes.get(id)?.boundaryID;
    if (boundaryId) this.#incrementCallVersion(boundaryId);
  }

  #incrementCallVersion(boundaryId: string): void {
    this.#callVersions.set(boundaryId, this.callVersion(boundaryId) + 1);
  }

  /** Adds a node, or replaces the one with its ID. */
  set(node: NodeStatus): NodeStatus {
    this.#flushChildren(node.id);
    this.log.add(node.id);
    const old = this.#nodes.get(node.id);
    this.#bytes += nodeSize(node) - (old ? nodeSize(old) : 0);
    if (!old) {
      this.#ids.set(node.name, node.id);
      this.#index(node);
    }
    if (!this.#replaced.has(node.id)) this.#replaced.set(node.id, old);
    this.#nodes.set(node.id, node);
    this.#updateIndexes(node.id, node, true);
    return node;
  }

  /** Replaces fields of a node. Returns the same node if nothing changes. */
  update(id: string, fields: Partial<NodeStatus>): NodeStatus {
    const node = this.get(id);
    if (!node) throw new Error(`No node ${id} to update`);
    const differs = (Object.keys(fields) as (keyof NodeStatus)[]).some((key) => node[key] !== fields[key]);
    return differs ? this.set(withoutUndefined({ ...node, ...fields })) : node;
  }

  /** Adds a child to a node. Returns false if it is already one. */
  addChild(parentId: string, childId: string): boolean {
    const parent = this.#nodes.get(parentId);
    if (!parent) throw new Error(`No node ${parentId} to be the parent of ${childId}`);
    const list = parent.children ?? NO_CHILDREN;
    let members = this.#members.get(parentId);
    if (members?.list !== list) this.#members.set(parentId, members = { list, set: new Set(list) });
    if (members.set.has(childId)) return false;
    members.set.add(childId);
    this.#bytes += ID_BYTES;
    const collected = this.#newChildren.get(parentId);
    if (collected) {
      collected.push(childId);
      return true;
    }
    this.#newChildren.set(parentId, [childId]);
    this.log.add(parentId);
    if (!this.#replaced.has(parentId)) this.#replaced.set(parentId, parent);
    return true;
  }

  /** Adds the collected children to a node. */
  #flushChildren(parentId: string): void {
    const collected = this.#newChildren.get(parentId);
    if (!collected) return;
    this.#newChildren.delete(parentId);
    const parent = this.#nodes.get(parentId)!;
    const list = [...parent.children ?? [], ...collected];
    const members = this.#members.get(parentId);
    if (members) members.list = list;
    this.#nodes.set(parentId, { ...parent, children: list });
  }

  #flushAllChildren(): void {
    for (const parentId of this.#newChildren.keys()) this.#flushChildren(parentId);
  }

  /** The previous values of the nodes that this pass has replaced, by ID. */
  get changed(): ReadonlyMap<string, NodeStatus | undefined> {
    return this.#replaced;
  }

  /** The IDs of the nodes that the previous pass replaced, even if it was discarded; undefined in the first pass. */
  get replacedInPreviousPass(): ReadonlySet<string> | undefined {
    return this.#replacedInPreviousPass;
  }

  /** Whether this pass starts from the result of the previous pass. False if that result was discarded. */
  get hasResultOfPreviousPass(): boolean {
    return this.#hasResultOfPreviousPass;
  }

  ids(): IterableIterator<string> {
    return this.#nodes.keys();
  }

  /** Sorts IDs by the order of their nodes. IDs without a node come last. */
  inOrder(ids: Iterable<string>): string[] {
    const positionOf = (id: string) => this.#positions.get(id) ?? Infinity;
    return [...ids].sort((a, b) => {
      const [first, second] = [positionOf(a), positionOf(b)];
      return first === second ? (a < b ? -1 : 1) : first - second;
    });
  }

  /** The nodes as they are now, regardless of later changes. The record of all nodes is only created on demand. */
  snapshot(): NodesSnapshot {
    this.#flushAllChildren();
    const before = this.#before;
    const pass = this.#passes;
    const changed = new Map<string, NodeStatus>();
    for (const id of this.#replaced.keys()) changed.set(id, this.#nodes.get(id)!);
    let record: Record<string, NodeStatus> | undefined;
    let isKept = false;
    const make = () => {
      // Faster than a spread with thousands of nodes.
      const made: Record<string, NodeStatus> = Object.assign({}, before);
      for (const [id, node] of changed) made[id] = node;
      if (pass === this.#passes && !isKept) this.#after = made;
      return made;
    };
    const keep = () => {
      if (record !== undefined || pass !== this.#passes) return record ??= make();
      if (before === undefined || before !== this.#inPlaceRecord) this.#inPlaceRecord = make();
      else for (const [id, node] of changed) this.#inPlaceRecord[id] = node;
      isKept = true;
      return this.#after = this.#inPlaceRecord;
    };
    return {
      changed,
      record: () => record ??= make(),
      recordInPlace: keep,
      isCurrent: () => pass === this.#passes,
    };
  }

  /** Updates the sets of calls in progress and of failed calls. */
  #updateIndexes(id: string, node: NodeStatus, exists: boolean): void {
    this.#updateOpenIndex(id, node, exists);
    const { boundaryID, type, phase, daemoned } = node;
    if (!boundaryID || !CALL_TYPES.has(type)) return;
    this.#incrementCallVersion(boundaryID);
    setMembership(this.#active, boundaryID, id, exists && !daemoned && (phase === "Pending" || phase === "Running"));
    setMembership(this.#failed, boundaryID, id, exists && isFailure(phase));
  }

  #updateOpenIndex(id: string, node: NodeStatus, exists: boolean): void {
    // A daemon that was ready when it got a final phase is open until it has ended.
    const isOpen = exists && (node.phase === "Pending" || node.phase === "Running" || node.daemoned === true);
    for (const enclosingId of this.#enclosingIds(node)) {
      setMembership(this.#open, enclosingId, id, isOpen);
      this.#updateEndedWithOpenNodes(enclosingId, this.#nodes.get(enclosingId));
    }
    if (this.#open.has(id)) this.#updateEndedWithOpenNodes(id, exists ? node : undefined);
  }

  /** Updates the set of ended nodes with open nodes inside. */
  #updateEndedWithOpenNodes(id: string, node: NodeStatus | undefined): void {
    const hasOpenNodes = node !== undefined && !node.daemoned && isOver(node) && this.openIn(id).size > 0;
    if (hasOpenNodes) this.#endedWithOpenNodes.add(id);
    else this.#endedWithOpenNodes.delete(id);
  }

  /** The nodes around a node: its boundary, the Retry node of an attempt, and the loop of a call. */
  #enclosingIds({ name, boundaryID, nodeFlag }: NodeStatus): string[] {
    const ids = [boundaryID ?? ""];
    if (nodeFlag?.retried) {
      // The containers of an attempt have the same flag.
      const retryName = withoutAttemptOrHook(name);
      if (retryName !== name) ids.push(this.idOf(retryName));
    }
    const boundary = boundaryID && name.includes(":") ? this.#nodes.get(boundaryID) : undefined;
    if (boundary?.type === "DAG") {
      const loop = loopHolderName(name, boundary.name);
      if (loop !== name) ids.push(this.idOf(loop));
    }
    return ids;
  }

  #index(node: NodeStatus): void {
    this.#positions.set(node.id, this.#nextPosition++);
    this.#updateIndexes(node.id, node, true);
    if (!node.boundaryID) return;
    let members = this.#byBoundary.get(node.boundaryID);
    if (!members) this.#byBoundary.set(node.boundaryID, members = new Set());
    members.add(node.id);
  }
}

/** A read-only view of a table. */
export type Nodes = Omit<NodeTable, "set" | "update" | "addChild">;

/** Types of nodes that count as calls of their boundary. */
const CALL_TYPES = nodeTypesOf("pod", "calls");
const NO_IDS: ReadonlySet<string> = new Set();
const NO_CHILDREN: readonly string[] = [];

function setMembership(sets: Map<string, Set<string>>, key: string, id: string, isIn: boolean): void {
  let set = sets.get(key);
  if (!isIn) return void set?.delete(id);
  if (!set) sets.set(key, set = new Set());
  set.add(id);
}

function withoutUndefined(node: NodeStatus): NodeStatus {
  if (!(Object.values(node) as unknown[]).includes(undefined)) return node;
  // deno-lint-ignore tiphys/no-double-cast -- the same fields without undefined ones
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as unknown as NodeStatus;
}

/**
 * Distributes the changes of the server's copy to all watchers of workflows, so that the cluster is watched only once.
 */
import type { Workflow } from "@tiphys/model/api";
import type { ChangeType } from "@tiphys/kube/informers";
import { CODE, WireError } from "../wire/errors.ts";

/** A change as a watcher receives it. */
export interface CopiedChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Workflow;
}

/** The workflows that a watcher receives. */
export interface Subscription {
  readonly matches: (workflow: Workflow) => boolean;
  /** The version that the watcher already has. If undefined, the watcher first receives all current workflows. */
  readonly after?: bigint | undefined;
}

/** One state of a workflow. */
export interface WorkflowState {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
}

interface RecordedChange {
  readonly type: ChangeType;
  readonly object: Workflow;
  readonly old: Workflow | undefined;
  /**
   * The version of the change. Undefined for a deletion that was detected by a later list: it is new to every watcher.
   */
  readonly version: bigint | undefined;
  readonly nodes: number;
}

/** The maximum number of changes that are kept for watchers that reconnect. */
const KEPT_CHANGES = 5_000;
/** The maximum number of changes that may be queued for a watcher before it is disconnected as too slow. */
const MAX_WAITING = 5_000;
/**
 * Limit on the nodes in the kept changes, and in the changes queued for one watcher, counted over all their workflows:
 * each change of a large workflow holds all of its nodes.
 */
const MAX_NODES = 100_000;
/**
 * After how many changes that do not match a watcher it receives their version. Far below the number of kept changes.
 */
const MAX_UNREPORTED = 500;
/** The number of characters of compressed nodes that count as one node. */
const PACKED_NODE = 500;

/** The size of a workflow, in nodes. */
function nodesOf({ status }: Workflow): number {
  const packed = status?.compressedNodes?.length ?? 0;
  return 1 + Object.keys(status?.nodes ?? {}).length + Math.ceil(packed / PACKED_NODE);
}

/** Workflows with more nodes than this come last among the current workflows. */
const FEW_NODES = 500;

/** Reports whether a workflow is slow to send: its nodes are many, compressed or offloaded. */
function isSlowToSend({ status }: Workflow): boolean {
  if (status?.compressedNodes || status?.offloadNodeStatusVersion) return true;
  return Object.keys(status?.nodes ?? {}).length > FEW_NODES;
}

/**
 * Yields the workflows that match, testing each one only when it is requested. Those that are slow to send come last.
 */
function* smallFirst(workflows: readonly Workflow[], matches: (workflow: Workflow) => boolean): Generator<Workflow> {
  const slow: Workflow[] = [];
  for (const workflow of workflows) {
    if (!matches(workflow)) continue;
    if (isSlowToSend(workflow)) slow.push(workflow);
    else yield workflow;
  }
  yield* slow;
}

/** Sends changes to watchers, including the changes since the version that a watcher already has. */
export class ChangeFeed {
  readonly #current: () => readonly Workflow[];
  readonly #recent: RecordedChange[] = [];
  /** The sum of the nodes in the recent changes. */
  #nodes = 0;
  readonly #watchers = new Set<(change: RecordedChange) => void>();
  /** Every change after this version is kept. */
  #since: bigint | undefined;
  /** The version of the last change. */
  #newest = 0n;

  /** `current` returns all workflows of the copy. */
  constructor(current: () => readonly Workflow[]) {
    this.#current = current;
  }

  /** Starts to record changes. The copy is complete up to this version. */
  begin(version: string | undefined): void {
    this.#since = this.#newest = BigInt(version ?? 0);
    this.#recent.length = 0;
    this.#nodes = 0;
  }

  /** Records a change of the copy and sends it to the watchers. */
  record(type: ChangeType, object: Workflow, old: Workflow | undefined): void {
    if (this.#since === undefined) return;
    const isFoundOut = type === "deleted" && object === old;
    const version = isFoundOut ? undefined : BigInt(object.metadata.resourceVersion ?? 0);
    if (version !== undefined && version > this.#newest) this.#newest = version;
    const change = { type, object, old, version, nodes: nodesOf(object) };
    this.#recent.push(change);
    this.#nodes += change.nodes;
    // Removes half of the changes at a time, so that the array is not shifted for each change.
    while (this.#recent.length > 2 * KEPT_CHANGES || this.#nodes > MAX_NODES) {
      this.#forget(this.#recent.splice(0, Math.ceil(this.#recent.length / 2)));
    }
    for (const watcher of this.#watchers) watcher(change);
  }

  #forget(changes: readonly RecordedChange[]): void {
    for (const { version = 0n, nodes } of changes) {
      this.#nodes -= nodes;
      if (version > this.#since!) this.#since = version;
    }
  }

  /** Reports whether every change after a version is kept. */
  hasVersion(version: bigint): boolean {
    return this.#since !== undefined && version >= this.#since;
  }

  /** Returns a workflow at a given version, or undefined if that state is not kept. */
  stateOf({ namespace, name, version }: WorkflowState): Workflow | undefined {
    const is = ({ metadata }: Workflow) =>
      metadata.resourceVersion === version && metadata.name === name && metadata.namespace === namespace;
    return this.#recent.findLast(({ object, type }) => type !== "deleted" && is(object))?.object ??
      this.#current().find(is);
  }

  /**
   * Yields the current workflows, or the changes since a version, and then each change until the signal is aborted. The
   * first workflow is yielded before the others are tested. `passed` is called with versions up to which the watcher
   * has received everything.
   * @throws {WireError} if the watcher reads too slowly.
   */
  async *watch(
    { matches, after }: Subscription,
    signal: AbortSignal,
    passed?: (version: string) => void,
  ): AsyncGenerator<CopiedChange> {
    const waiting: (CopiedChange & { readonly nodes: number })[] = [];
    // Changes that are queued from the start do not count towards `MAX_WAITING`.
    let left = 0;
    let nodesBehind = 0;
    let isTooSlow = false;
    let wake = () => {};
    // The number of changes that do not match this watcher since the last call of `passed`.
    let others = 0;
    const begun = this.#newest;
    const take = ({ type, object, old, version, nodes }: RecordedChange) => {
      if (after !== undefined && version !== undefined && version <= after) return;
      const was = old !== undefined && matches(old);
      const is = type !== "deleted" && matches(object);
      if (!was && !is) {
        if (passed && ++others >= MAX_UNREPORTED) wake();
        return;
      }
      // For a watcher with a selector, an object is added when it begins to match, and deleted when it no longer does.
      waiting.push({ type: !is ? "DELETED" : was ? "MODIFIED" : "ADDED", object, nodes });
      // A change that exceeds the limit by itself is still sent.
      if (waiting.length - left > MAX_WAITING || nodesBehind > MAX_NODES) isTooSlow = true;
      nodesBehind += nodes;
      wake();
    };
    // A watcher that reads nothing must not keep changes in memory until it notices the error.
    const takeIfRead = (change: RecordedChange) => {
      take(change);
      if (!isTooSlow) return;
      this.#watchers.delete(takeIfRead);
      waiting.length = 0;
    };
    const there = after === undefined ? this.#current() : [];
    for (const change of after === undefined ? [] : this.#recent) take(change);
    left = waiting.length;
    nodesBehind = 0;
    isTooSlow = false;
    const stop = () => wake();
    this.#watchers.add(takeIfRead);
    signal.addEventListener("abort", stop, { once: true });
    const checkPace = () => {
      if (isTooSlow) throw new WireError(CODE.resourceExhausted, "the watch is read too slowly: start it again");
    };
    try {
      for (const object of smallFirst(there, matches)) {
        if (signal.aborted) return;
        checkPace();
        yield { type: "ADDED", object };
      }
      if (after === undefined) passed?.(String(begun));
      while (!signal.aborted) {
        checkPace();
        const change = waiting.shift();
        if (change) {
          if (left > 0) left--;
          else nodesBehind -= change.nodes;
          yield { type: change.type, object: change.object };
          continue;
        }
        if (passed && others >= MAX_UNREPORTED) {
          others = 0;
          passed(String(this.#newest));
        }
        await new Promise<void>((resolve) => wake = resolve);
      }
    } finally {
      this.#watchers.delete(takeIfRead);
      signal.removeEventListener("abort", stop);
    }
  }
}

/** The changes of the server's copy, for whoever watches workflows: however many they are, the cluster is watched once. */
import type { Workflow } from "@tiphys/model/api";
import type { ChangeType } from "@tiphys/kube";
import { CODE, WireError } from "../wire/errors.ts";

/** One change as a watcher is told of it. */
export interface CopiedChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Workflow;
}

/** The workflows that a watcher wants to hear of. */
export interface Subscription {
  readonly matches: (workflow: Workflow) => boolean;
  /** The version that the watcher knows already; without one it is told what is there first. */
  readonly after?: bigint | undefined;
}

/** One state of a workflow. */
export interface WorkflowState {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
}

interface Recorded {
  readonly type: ChangeType;
  readonly object: Workflow;
  readonly old: Workflow | undefined;
  /** The version of the change; undefined for a deletion that was found out afterwards, which is new to everybody. */
  readonly version: bigint | undefined;
  readonly nodes: number;
}

/** Changes that are kept for watchers who come back. */
const KEPT = 5_000;
/** The most changes that wait for a watcher: one who does not take them as they come is then sent away. */
const MOST_WAITING = 5_000;
/**
 * The most nodes of all workflows that changes are kept with, and that wait for a watcher: each change of a large workflow
 * holds all of its nodes as they were.
 */
const MOST_NODES = 100_000;
/** The changes of others after which a watcher is told of their version: well before these changes are forgotten. */
const MOST_OTHERS = 500;
/** The characters of packed nodes that take as much room as one that is not. */
const PACKED_NODE = 500;

/** The room that a workflow takes, in nodes. */
function nodesOf({ status }: Workflow): number {
  const packed = status?.compressedNodes?.length ?? 0;
  return 1 + Object.keys(status?.nodes ?? {}).length + Math.ceil(packed / PACKED_NODE);
}

/** The most nodes of a workflow that is told of in its place among those that are there. */
const FEW_NODES = 500;

/** Whether it takes a while to tell of a workflow: its nodes are many, or are to be unpacked, or fetched. */
function isSlowToTell({ status }: Workflow): boolean {
  if (status?.compressedNodes || status?.offloadNodeStatusVersion) return true;
  return Object.keys(status?.nodes ?? {}).length > FEW_NODES;
}

/** The workflows that a watcher wants, looked for one by one as they are told; those that take a while come last. */
function* quickFirst(workflows: readonly Workflow[], matches: (workflow: Workflow) => boolean): Generator<Workflow> {
  const slow: Workflow[] = [];
  for (const workflow of workflows) {
    if (!matches(workflow)) continue;
    if (isSlowToTell(workflow)) slow.push(workflow);
    else yield workflow;
  }
  yield* slow;
}

/** Tells watchers of changes, also of those that have been while they were away. */
export class ChangeFeed {
  readonly #current: () => readonly Workflow[];
  readonly #recent: Recorded[] = [];
  /** The nodes that are kept with the recent changes. */
  #nodes = 0;
  readonly #watchers = new Set<(change: Recorded) => void>();
  /** All changes after this version are kept. */
  #since: bigint | undefined;
  /** The version of the last change. */
  #newest = 0n;

  /** `current` gives all workflows of the copy. */
  constructor(current: () => readonly Workflow[]) {
    this.#current = current;
  }

  /** Begins to keep changes: the copy has all up to this version. */
  begin(version: string | undefined): void {
    this.#since = this.#newest = BigInt(version ?? 0);
    this.#recent.length = 0;
    this.#nodes = 0;
  }

  /** Takes a change of the copy. */
  record(type: ChangeType, object: Workflow, old: Workflow | undefined): void {
    if (this.#since === undefined) return;
    const isFoundOut = type === "deleted" && object === old;
    const version = isFoundOut ? undefined : BigInt(object.metadata.resourceVersion ?? 0);
    if (version !== undefined && version > this.#newest) this.#newest = version;
    const change = { type, object, old, version, nodes: nodesOf(object) };
    this.#recent.push(change);
    this.#nodes += change.nodes;
    // Changes are forgotten by halves, so that the array is not moved for each of them.
    while (this.#recent.length > 2 * KEPT || this.#nodes > MOST_NODES) {
      this.#forget(this.#recent.splice(0, Math.ceil(this.#recent.length / 2)));
    }
    for (const watcher of this.#watchers) watcher(change);
  }

  #forget(changes: readonly Recorded[]): void {
    for (const { version = 0n, nodes } of changes) {
      this.#nodes -= nodes;
      if (version > this.#since!) this.#since = version;
    }
  }

  /** Whether all changes after a version are kept. */
  knows(version: bigint): boolean {
    return this.#since !== undefined && version >= this.#since;
  }

  /** A workflow as it was at a version, where that is kept. */
  stateOf({ namespace, name, version }: WorkflowState): Workflow | undefined {
    const is = ({ metadata }: Workflow) =>
      metadata.resourceVersion === version && metadata.name === name && metadata.namespace === namespace;
    return this.#recent.findLast(({ object, type }) => type !== "deleted" && is(object))?.object ??
      this.#current().find(is);
  }

  /**
   * The workflows that are there, or the changes since a version, and then each change, until the signal is aborted. The first
   * is told before the others are looked at. `passed` is told of versions up to which there is nothing more to tell.
   * @throws {WireError} for a watcher who is too slow.
   */
  async *watch(
    { matches, after }: Subscription,
    signal: AbortSignal,
    passed?: (version: string) => void,
  ): AsyncGenerator<CopiedChange> {
    const waiting: (CopiedChange & { readonly nodes: number })[] = [];
    // Changes that wait from the start on do not count towards `MOST_WAITING`, however many they are.
    let left = 0;
    let nodesBehind = 0;
    let isTooSlow = false;
    let wake = () => {};
    // Changes that are none to this watcher, since it was last told of a version.
    let others = 0;
    const begun = this.#newest;
    const take = ({ type, object, old, version, nodes }: Recorded) => {
      if (after !== undefined && version !== undefined && version <= after) return;
      const was = old !== undefined && matches(old);
      const is = type !== "deleted" && matches(object);
      if (!was && !is) {
        if (passed && ++others >= MOST_OTHERS) wake();
        return;
      }
      // For a watcher with a selector, an object is added when it begins to match, and deleted when it no longer does.
      waiting.push({ type: !is ? "DELETED" : was ? "MODIFIED" : "ADDED", object, nodes });
      // One that is larger than that by itself is told all the same.
      if (waiting.length - left > MOST_WAITING || nodesBehind > MOST_NODES) isTooSlow = true;
      nodesBehind += nodes;
      wake();
    };
    // Who takes nothing does not come back to be told so, and holds nothing meanwhile.
    const takeIfRead = (change: Recorded) => {
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
      if (isTooSlow) throw new WireError(CODE.resourceExhausted, "the watch is read too slowly: begin it anew");
    };
    try {
      for (const object of quickFirst(there, matches)) {
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
        if (passed && others >= MOST_OTHERS) {
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

/** The changes of the server's copy, for whoever watches workflows: however many they are, the cluster is watched once. */
import type { Workflow } from "../../lib/api/mod.ts";
import type { ChangeType } from "../../lib/kube/mod.ts";
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

interface Recorded {
  readonly type: ChangeType;
  readonly object: Workflow;
  readonly old: Workflow | undefined;
  /** The version of the change; undefined for a deletion that was found out afterwards, which is new to everybody. */
  readonly version: bigint | undefined;
}

/** Changes that are kept for watchers who come back. */
const KEPT = 5_000;
/** The most changes that wait for a watcher: one who does not take them as they come is then sent away. */
const MOST_WAITING = 5_000;

/** Tells watchers of changes, also of those that have been while they were away. */
export class ChangeFeed {
  readonly #current: () => readonly Workflow[];
  readonly #recent: Recorded[] = [];
  readonly #watchers = new Set<(change: Recorded) => void>();
  /** All changes after this version are kept. */
  #since: bigint | undefined;

  /** `current` gives all workflows of the copy. */
  constructor(current: () => readonly Workflow[]) {
    this.#current = current;
  }

  /** Begins to keep changes: the copy has all up to this version. */
  begin(version: string | undefined): void {
    this.#since = BigInt(version ?? 0);
    this.#recent.length = 0;
  }

  /** Takes a change of the copy. */
  record(type: ChangeType, object: Workflow, old: Workflow | undefined): void {
    if (this.#since === undefined) return;
    const isFoundOut = type === "deleted" && object === old;
    const version = isFoundOut ? undefined : BigInt(object.metadata.resourceVersion ?? 0);
    const change = { type, object, old, version };
    this.#recent.push(change);
    // Changes are forgotten by halves, so that the array is not moved for each of them.
    if (this.#recent.length > 2 * KEPT) this.#forget(this.#recent.splice(0, KEPT));
    for (const watcher of this.#watchers) watcher(change);
  }

  #forget(changes: readonly Recorded[]): void {
    for (const { version = 0n } of changes) if (version > this.#since!) this.#since = version;
  }

  /** Whether all changes after a version are kept. */
  knows(version: bigint): boolean {
    return this.#since !== undefined && version >= this.#since;
  }

  /**
   * The workflows that are there, or the changes since a version, and then each change, until the signal is aborted.
   * @throws {WireError} for a watcher who is too slow.
   */
  async *watch({ matches, after }: Subscription, signal: AbortSignal): AsyncGenerator<CopiedChange> {
    const waiting: CopiedChange[] = [];
    // Entries that wait from the start on do not count towards `MOST_WAITING`, however many they are.
    let left = 0;
    let isTooSlow = false;
    let wake = () => {};
    const take = ({ type, object, old, version }: Recorded) => {
      if (after !== undefined && version !== undefined && version <= after) return;
      const was = old !== undefined && matches(old);
      const is = type !== "deleted" && matches(object);
      if (!was && !is) return;
      // For a watcher with a selector, an object is added when it begins to match, and deleted when it no longer does.
      waiting.push({ type: !is ? "DELETED" : was ? "MODIFIED" : "ADDED", object });
      if (waiting.length - left > MOST_WAITING) isTooSlow = true;
      wake();
    };
    if (after === undefined) {
      for (const object of this.#current()) if (matches(object)) waiting.push({ type: "ADDED", object });
    } else {
      for (const change of this.#recent) take(change);
    }
    left = waiting.length;
    isTooSlow = false;
    const stop = () => wake();
    this.#watchers.add(take);
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        if (isTooSlow) {
          throw new WireError(CODE.resourceExhausted, "the watch is read too slowly: begin it anew");
        }
        const change = waiting.shift();
        if (change) {
          left = Math.max(0, left - 1);
          yield change;
          continue;
        }
        await new Promise<void>((resolve) => wake = resolve);
      }
    } finally {
      this.#watchers.delete(take);
      signal.removeEventListener("abort", stop);
    }
  }
}

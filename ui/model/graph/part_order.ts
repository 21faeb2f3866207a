/**
 * The order of the parts of a run: the predecessors of each part, and the times at which leaves ran. The basis of the
 * critical path.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { isSkippedOrOmitted, millisOf } from "@tiphys/model/status";
import { type Part, partsIn } from "./part.ts";

/** The start and end of a run; the end of a running one is now. */
export interface RunTimes {
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Reports whether a node is a daemon: its successors wait until it is ready, not until it ends. */
  readonly isDaemon?: ((node: NodeStatus) => boolean) | undefined;
}

/** The time in which a leaf ran. */
export interface LeafTimes {
  readonly from: number;
  readonly to: number;
  readonly isDaemon: boolean;
}

/** Times in a status are whole seconds, and those of pods depend on the clocks of their nodes. */
export const MAX_CLOCK_SKEW_MILLIS = 2_000;

const NOTHING: readonly Part[] = [];

/** A step with the index of its group: `run[3].load`. */
const STEP = /\[(\d+)\]\.[^.[\]]+$/;

/** The order of a run's parts. */
export class PartOrder {
  /** Parts in which something ran, including groups. */
  readonly #begun = new Set<Part>();
  readonly #holders = new Map<Part, Part>();
  /** The predecessors of each member within its group. */
  readonly #before = new Map<Part, readonly Part[]>();
  readonly #ordered = new Map<Part, readonly Part[]>();
  readonly #times = new Map<Part, LeafTimes>();
  /** The leaves that ran. */
  readonly leaves: readonly Part[];
  /** The leaves that the end of the run waits for. Daemons end with the run. */
  readonly awaitedLeaves: readonly Part[];
  /** The number of steps that the computation took, for callers that limit it. */
  work = 0;

  constructor(whole: Part, { finishedAt, isDaemon = () => false }: Pick<RunTimes, "finishedAt" | "isDaemon">) {
    const leaves: Part[] = [];
    for (const part of partsIn(whole)) {
      for (const member of part.members) this.#holders.set(member, part);
      for (const [member, before] of membersBefore(part)) this.#before.set(member, before);
      const times = part.members.length > 0 ? undefined : timesOf(part, finishedAt);
      if (!times) continue;
      leaves.push(part);
      this.#times.set(part, { ...times, isDaemon: isDaemon(part.node!) });
      for (
        let holder: Part | undefined = part;
        holder && !this.#begun.has(holder);
        holder = this.#holders.get(holder)
      ) {
        this.#begun.add(holder);
      }
    }
    this.leaves = leaves;
    const lasting = leaves.filter((leaf) => !this.#times.get(leaf)!.isDaemon);
    this.awaitedLeaves = lasting.length > 0 ? lasting : leaves;
  }

  /** Returns the time in which a leaf ran; undefined if it has not started or was skipped. */
  timesOf(leaf: Part): LeafTimes | undefined {
    return this.#times.get(leaf);
  }

  /**
   * Reports whether a part that began at `moment` waited for the end of a leaf that started earlier, rather than for
   * its start only.
   */
  waitedForEnd(leaf: Part, moment: number): boolean {
    const { to, isDaemon } = this.#times.get(leaf)!;
    return !isDaemon && to <= moment + MAX_CLOCK_SKEW_MILLIS;
  }

  /** The predecessors of a part within its group, including their hooks. */
  predecessorsOf(part: Part): readonly Part[] {
    return this.#before.get(part) ?? NOTHING;
  }

  /** Returns the group that contains a part. */
  holderOf(part: Part): Part | undefined {
    return this.#holders.get(part);
  }

  /**
   * Returns the parts that a part waited for: its predecessors within its group, else those of the group. A predecessor
   * in which nothing ran, because it was skipped, is replaced by its own predecessors.
   */
  sourcesOf(part: Part): readonly Part[] {
    const first = this.#nearestWithPredecessors(part);
    const known = this.#ordered.get(first);
    if (known) return known;
    const found = this.#sourcesOf(first);
    this.#ordered.set(first, found);
    return found;
  }

  #sourcesOf(first: Part): readonly Part[] {
    const before = this.predecessorsOf(first);
    this.work += before.length;
    if (before.every((source) => this.#begun.has(source))) return before;
    const sources = new Set<Part>();
    const seen = new Set([first]);
    const ahead = [first];
    for (let part = ahead.pop(); part; part = ahead.pop()) {
      for (const source of this.predecessorsOf(part)) {
        this.work++;
        if (this.#begun.has(source)) sources.add(source);
        else {
          const next = this.#nearestWithPredecessors(source);
          if (!seen.has(next)) ahead.push(next);
          seen.add(next);
        }
      }
    }
    return [...sources];
  }

  /** Returns the part or its innermost enclosing group with predecessors; the outermost group if no group has any. */
  #nearestWithPredecessors(part: Part): Part {
    let current = part;
    for (
      let holder = this.#holders.get(current);
      holder && !this.#before.has(current);
      holder = this.#holders.get(current)
    ) {
      this.work++;
      current = holder;
    }
    return current;
  }
}

function timesOf({ node }: Part, now: number): Omit<LeafTimes, "isDaemon"> | undefined {
  const from = millisOf(node?.startedAt);
  if (!node || Number.isNaN(from) || isSkippedOrOmitted(node.phase)) return undefined;
  const end = millisOf(node.finishedAt);
  return { from, to: Math.max(from, Math.min(now, Number.isNaN(end) ? now : end)) };
}

/** Yields the members of a group with their predecessors, including hooks of these. */
function* membersBefore({ members, edges }: Part): Generator<readonly [Part, readonly Part[]]> {
  if (edges.length === 0) return;
  const hooks = new Map<number, number[]>();
  const before = new Map<number, number[]>();
  for (const { from, to, kind } of edges) {
    if (kind === "hook") addPlace(hooks, from, to);
    else addPlace(before, to, from);
  }
  const groups = groupsBefore(members);
  const made = new Map<readonly number[], readonly Part[]>();
  for (const [to, places] of before) {
    const all = groups.get(to) ?? places;
    if (!made.has(all)) {
      made.set(
        all,
        all.flatMap((index) => [index, ...hooks.get(index) ?? []]).map((index) => members[index]!),
      );
    }
    yield [members[to]!, made.get(all)!];
  }
  for (const [from, places] of hooks) {
    for (const to of places) if (!before.has(to)) yield [members[to]!, [members[from]!]];
  }
}

/**
 * Returns all members of the previous group for each group of steps, because between large groups the graph has one
 * edge per step only. Members of a group share one list.
 */
function groupsBefore(members: readonly Part[]): Map<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const [place, { key }] of members.entries()) {
    const [, group] = STEP.exec(key) ?? [];
    if (group !== undefined) addPlace(groups, Number(group), place);
  }
  const found = new Map<number, readonly number[]>();
  let before: readonly number[] | undefined;
  for (const [, group] of [...groups].sort(([a], [b]) => a - b)) {
    if (before) { for (const place of group) found.set(place, before); }
    before = group;
  }
  return found;
}

function addPlace(places: Map<number, number[]>, key: number, index: number): void {
  const there = places.get(key);
  if (there) there.push(index);
  else places.set(key, [index]);
}

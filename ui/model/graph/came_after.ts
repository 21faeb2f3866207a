/** The order of the parts of a run: what each came after, and when its leaves were at work. The critical path stands on it. */
import type { NodeStatus } from "@tiphys/model/api";
import { isPassedOver, millisOf } from "@tiphys/model/status";
import { type Part, partsIn } from "./part.ts";

/** The bounds of a run: its end is the present while it goes on. */
export interface RunTimes {
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Whether a node is a daemon: who comes after one waits until it is up, and not for its end. */
  readonly isDaemon?: ((node: NodeStatus) => boolean) | undefined;
}

/** The time in which a leaf was at work. */
export interface LeafTimes {
  readonly from: number;
  readonly to: number;
  readonly isDaemon: boolean;
}

/** Times of a status have whole seconds, and those of pods are told by the clocks of their machines. */
export const CLOCKS_APART = 2_000;

const NOTHING: readonly Part[] = [];

/** A member of steps by its group: `run[3].load`. */
const STEP = /\[(\d+)\]\.[^.[\]]+$/;

/** The order of a run's parts. */
export class CameAfter {
  /** The parts that something was at work in, boxes included. */
  readonly #begun = new Set<Part>();
  readonly #holders = new Map<Part, Part>();
  /** The parts that a member came after among the members of its holder. */
  readonly #before = new Map<Part, readonly Part[]>();
  readonly #found = new Map<Part, readonly Part[]>();
  readonly #times = new Map<Part, LeafTimes>();
  /** The leaves that were at work. */
  readonly leaves: readonly Part[];
  /** Those that the end of the run waits for: daemons end as it does. */
  readonly lasting: readonly Part[];
  /** The steps that were made to answer: who has a bound looks at it. */
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
      for (let one: Part | undefined = part; one && !this.#begun.has(one); one = this.#holders.get(one)) {
        this.#begun.add(one);
      }
    }
    this.leaves = leaves;
    const lasting = leaves.filter((leaf) => !this.#times.get(leaf)!.isDaemon);
    this.lasting = lasting.length > 0 ? lasting : leaves;
  }

  /** The time in which a leaf was at work; undefined for what has not begun, and for what was passed over. */
  timesOf(leaf: Part): LeafTimes | undefined {
    return this.#times.get(leaf);
  }

  /** Whether what began at a moment had waited for the end of a leaf that began before: else it was for its beginning only. */
  hadEnded(leaf: Part, moment: number): boolean {
    const { to, isDaemon } = this.#times.get(leaf)!;
    return !isDaemon && to <= moment + CLOCKS_APART;
  }

  /** The members of its own box that a part came after, hooks of theirs included. */
  beforeIn(part: Part): readonly Part[] {
    return this.#before.get(part) ?? NOTHING;
  }

  /** The part that a part lies in. */
  holderOf(part: Part): Part | undefined {
    return this.#holders.get(part);
  }

  /**
   * The parts that one came after: those in front of it in its own box, else in front of that box. Where nothing was at work
   * in one of them, as it was passed over, those that it came after itself.
   */
  sourcesOf(part: Part): readonly Part[] {
    const first = this.#nearest(part);
    const known = this.#found.get(first);
    if (known) return known;
    const found = this.#sourcesOf(first);
    this.#found.set(first, found);
    return found;
  }

  #sourcesOf(first: Part): readonly Part[] {
    const before = this.beforeIn(first);
    this.work += before.length;
    if (before.every((source) => this.#begun.has(source))) return before;
    const sources = new Set<Part>();
    const seen = new Set([first]);
    const ahead = [first];
    for (let one = ahead.pop(); one; one = ahead.pop()) {
      for (const source of this.beforeIn(one)) {
        this.work++;
        if (this.#begun.has(source)) sources.add(source);
        else {
          const next = this.#nearest(source);
          if (!seen.has(next)) ahead.push(next);
          seen.add(next);
        }
      }
    }
    return [...sources];
  }

  /** The part itself, or the nearest box around it, that has something in front of it; the outermost where none has. */
  #nearest(part: Part): Part {
    let one = part;
    for (let holder = this.#holders.get(one); holder && !this.#before.has(one); holder = this.#holders.get(one)) {
      this.work++;
      one = holder;
    }
    return one;
  }
}

function timesOf({ node }: Part, now: number): Omit<LeafTimes, "isDaemon"> | undefined {
  const from = millisOf(node?.startedAt);
  if (!node || Number.isNaN(from) || isPassedOver(node.phase)) return undefined;
  const end = millisOf(node.finishedAt);
  return { from, to: Math.max(from, Math.min(now, Number.isNaN(end) ? now : end)) };
}

/** The members of a box that came after others, with those; of these hooks are waited for, too. */
function* membersBefore({ members, edges }: Part): Generator<readonly [Part, readonly Part[]]> {
  if (edges.length === 0) return;
  const hooks = new Map<number, number[]>();
  const before = new Map<number, number[]>();
  for (const { from, to, kind } of edges) {
    if (kind === "hook") put(hooks, from, to);
    else put(before, to, from);
  }
  const groups = groupsBefore(members);
  const made = new Map<readonly number[], readonly Part[]>();
  for (const [to, places] of before) {
    const all = groups.get(to) ?? places;
    if (!made.has(all)) made.set(all, all.flatMap((one) => [one, ...hooks.get(one) ?? []]).map((one) => members[one]!));
    yield [members[to]!, made.get(all)!];
  }
  for (const [from, places] of hooks) {
    for (const to of places) if (!before.has(to)) yield [members[to]!, [members[from]!]];
  }
}

/**
 * Steps with all of the group in front of theirs: between large groups the graph draws one edge for each only. All of a group
 * share one list.
 */
function groupsBefore(members: readonly Part[]): Map<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const [place, { key }] of members.entries()) {
    const [, group] = STEP.exec(key) ?? [];
    if (group !== undefined) put(groups, Number(group), place);
  }
  const found = new Map<number, readonly number[]>();
  let before: readonly number[] | undefined;
  for (const [, group] of [...groups].sort(([a], [b]) => a - b)) {
    if (before) { for (const place of group) found.set(place, before); }
    before = group;
  }
  return found;
}

function put(places: Map<number, number[]>, key: number, place: number): void {
  const there = places.get(key);
  if (there) there.push(place);
  else places.set(key, [place]);
}

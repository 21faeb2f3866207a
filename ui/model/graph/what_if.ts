/**
 * Computes how much shorter a run would be if a part took no time. Everything else starts when its predecessors have
 * ended, after the original pauses, so another chain may become the longest. Pure.
 */
import { millisOf } from "@tiphys/model/status";
import { MAX_CLOCK_SKEW_MILLIS, PartOrder, type RunTimes } from "./part_order.ts";
import { type Part, partsIn } from "./part.ts";

/** The gains of the parts of a run. */
export interface Gains {
  /** The number of steps for one part: the leaves, and everything around and before each of them. */
  readonly steps: number;
  /** Returns the gain in milliseconds if the part with `key` took no time; undefined if nothing ran in it. */
  gainOf(key: string): number | undefined;
}

/** The limit of steps for the preparation. */
const MAX_WORK = 2_000_000;

/** The range of indexes of a part and everything in it, in topological order. */
interface Places {
  readonly first: number;
  readonly behind: number;
}

/** Something that starts: a leaf or a group. */
interface StartedItem {
  readonly from: number;
  readonly place: number;
  /** The sources that it waited for. */
  readonly after: readonly number[];
}

interface Leaf extends StartedItem {
  readonly to: number;
  readonly isDaemon: boolean;
  /** Whether the end of the run waits for it. */
  readonly isLasting: boolean;
  /** The sources that contain it, with its rank among their ends. */
  readonly within: { readonly source: number; rank: number }[];
  /** Its index in the order of starts. */
  number: number;
}

/**
 * The delay of a source for its successors, in the original and in the changed run: the end of its latest leaf so far.
 */
interface SourceDelay {
  was: number;
  is: number;
  /** The rank of the first leaf that has not ended. */
  next: number;
}

/** Prepares the computation; returns undefined for a run that would exceed the limit. */
export function gainsIn(whole: Part, times: RunTimes): Gains | undefined {
  const order = new PartOrder(whole, times);
  const places = placesIn(whole, order);
  const parts = new Map<string, Part>();
  for (const part of partsIn(whole)) if (!parts.has(part.key)) parts.set(part.key, part);
  const numbers = new Map<Part, number>();
  const lists = new Map<readonly Part[], readonly number[]>();
  const afterOf = (part: Part): readonly number[] => {
    const sources = order.sourcesOf(part);
    let list = lists.get(sources);
    if (!list) {
      for (const source of sources) if (!numbers.has(source)) numbers.set(source, numbers.size);
      list = sources.map((source) => numbers.get(source)!);
      lists.set(sources, list);
    }
    return list;
  };
  const lasting = new Set(order.awaitedLeaves);
  const leaves: Leaf[] = [];
  for (const part of order.leaves) {
    const { first } = places.get(part)!;
    leaves.push({
      ...order.timesOf(part)!,
      place: first,
      isLasting: lasting.has(part),
      after: afterOf(part),
      within: [],
      number: 0,
    });
    if (order.work > MAX_WORK) return undefined;
  }
  const ended: Leaf[][] = Array.from(numbers, () => []);
  for (const [index, leaf] of leaves.entries()) {
    for (let part: Part | undefined = order.leaves[index]; part; part = order.holderOf(part)) {
      const source = numbers.get(part);
      if (++order.work > MAX_WORK) return undefined;
      if (source === undefined) continue;
      leaf.within.push({ source, rank: Infinity });
      // Nothing waits for the end of a daemon.
      if (!leaf.isDaemon) ended[source]!.push(leaf);
    }
  }
  for (const [source, list] of ended.entries()) {
    list.sort((a, b) => a.to - b.to);
    for (const [rank, { within }] of list.entries()) {
      within.find((candidate) => candidate.source === source)!.rank = rank;
    }
  }
  leaves.sort(compareByStart);
  for (const [number, leaf] of leaves.entries()) leaf.number = number;

  return {
    steps: leaves.reduce((sum, { after, within }) => sum + 1 + after.length + within.length, 0),
    gainOf(key) {
      const part = parts.get(key);
      if (!part) return undefined;
      const { first, behind } = places.get(part)!;
      const isMatch = ({ place }: Leaf) => first <= place && place < behind;
      const from = leaves.reduce((min, leaf) => isMatch(leaf) ? Math.min(min, leaf.from) : min, Infinity);
      if (from === Infinity) return undefined;
      const began = millisOf(part.node?.startedAt);
      // A group starts with its first leaf, or earlier.
      const box: StartedItem = {
        from: Number.isNaN(began) ? from : Math.min(from, began),
        place: first,
        after: afterOf(part),
      };
      return computeGain(isMatch, part.members.length > 0 ? box : undefined);
    },
  };

  /** Replays the run from leaf to leaf, with the selected ones taking no time, and returns how much earlier it ends. */
  function computeGain(isMatch: (leaf: Leaf) => boolean, box: StartedItem | undefined): number {
    const holds: SourceDelay[] = ended.map(() => ({ was: -Infinity, is: -Infinity, next: 0 }));
    const ends = new Float64Array(leaves.length);
    let [was, is] = [-Infinity, -Infinity];
    let boxStart: number | undefined;
    for (const leaf of leaves) {
      const { number, from, to, within, isLasting } = leaf;
      if (box && boxStart === undefined && compareByStart(box, leaf) <= 0) boxStart = startOf(box, number);
      const isNone = isMatch(leaf);
      const start = isNone && boxStart !== undefined ? boxStart : startOf(leaf, number);
      const end = isNone ? start : start + to - from;
      ends[number] = end;
      for (const { source, rank } of within) {
        const hold = holds[source]!;
        const hasEnded = rank < hold.next;
        hold.was = Math.max(hold.was, hasEnded ? to : from);
        hold.is = Math.max(hold.is, hasEnded ? end : start);
      }
      if (!isLasting) continue;
      was = Math.max(was, to);
      is = Math.max(is, end);
    }
    return was - is;

    /** Returns the start of something after `begun` leaves have started. */
    function startOf({ from, after }: StartedItem, begun: number): number {
      let [held, holding] = [-Infinity, -Infinity];
      for (const source of after) {
        const [hold, list] = [holds[source]!, ended[source]!];
        for (; hold.next < list.length && list[hold.next]!.to <= from + MAX_CLOCK_SKEW_MILLIS; hold.next++) {
          const leaf = list[hold.next]!;
          // By the clocks it ended before it started: it counts once it starts.
          if (leaf.number >= begun) continue;
          hold.was = Math.max(hold.was, leaf.to);
          hold.is = Math.max(hold.is, ends[leaf.number]!);
        }
        held = Math.max(held, hold.was);
        holding = Math.max(holding, hold.is);
      }
      return held === -Infinity ? from : holding + from - held;
    }
  }
}

function compareByStart(a: StartedItem, b: StartedItem): number {
  return a.from - b.from || a.place - b.place;
}

/** Returns the index of all parts: groups before members, and members after their predecessors. */
function placesIn(whole: Part, order: PartOrder): Map<Part, Places> {
  const places = new Map<Part, Places>();
  const ahead = [whole];
  let next = 0;
  for (let part = ahead.pop(); part; part = ahead.pop()) {
    places.set(part, { first: next, behind: next + part.size });
    next++;
    ahead.push(...sortTopologically(part.members, order).reverse());
  }
  return places;
}

/** Sorts the members of a group topologically. */
function sortTopologically(members: readonly Part[], order: PartOrder): Part[] {
  const placed = new Set<Part>();
  const seen = new Set<Part | readonly Part[]>();
  const ahead: (readonly [part: Part, isReady: boolean])[] = members.toReversed().map((part) => [part, false]);
  for (let entry = ahead.pop(); entry; entry = ahead.pop()) {
    const [part, isReady] = entry;
    if (isReady) placed.add(part);
    else if (!seen.has(part)) {
      seen.add(part);
      ahead.push([part, true]);
      const before = order.predecessorsOf(part);
      if (!seen.has(before)) { for (const source of before) ahead.push([source, false]); }
      seen.add(before);
    }
  }
  return [...placed];
}

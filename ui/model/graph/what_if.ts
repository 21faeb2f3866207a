/**
 * The time by which a run would have been shorter, had a part of it taken none: all else begins again as soon as what it came
 * after has ended, with the pauses that were between them, so another chain may be the longest then. Pure.
 */
import { millisOf } from "@tiphys/model/status";
import { CameAfter, CLOCKS_APART, type RunTimes } from "./came_after.ts";
import { type Part, partsIn } from "./part.ts";

/** The answers for the parts of a run. */
export interface Gains {
  /** The steps that one answer takes: each leaf, with all that it lies in and came after. */
  readonly steps: number;
  /** The gain in milliseconds, had the part of a key taken no time; undefined for one that nothing was at work in. */
  of(key: string): number | undefined;
}

/** The most steps by which answers are prepared. */
const MOST_WORK = 2_000_000;

/** The places of a part and of all that lies in it, in an order in which nothing comes before what it came after. */
interface Places {
  readonly first: number;
  readonly behind: number;
}

/** What begins: a leaf, or a box. */
interface Beginning {
  readonly from: number;
  readonly place: number;
  /** The sources that it came after. */
  readonly after: readonly number[];
}

interface Leaf extends Beginning {
  readonly to: number;
  readonly isDaemon: boolean;
  /** Whether the end of the run waits for it. */
  readonly isLasting: boolean;
  /** The sources that it is in, with its rank among their ends. */
  readonly within: { readonly source: number; rank: number }[];
  /** Its number in the order of beginnings. */
  number: number;
}

/** What holds back whoever came after a part, as it was and as it would be: the latest of its leaves until now. */
interface Hold {
  was: number;
  is: number;
  /** The rank of the first leaf that has not ended. */
  next: number;
}

/** Prepares the answers; undefined for a run whose parts lie in, or came after, more others than can be looked at. */
export function gainsIn(whole: Part, times: RunTimes): Gains | undefined {
  const order = new CameAfter(whole, times);
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
  const lasting = new Set(order.lasting);
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
    if (order.work > MOST_WORK) return undefined;
  }
  const ended: Leaf[][] = Array.from(numbers, () => []);
  for (const [at, leaf] of leaves.entries()) {
    for (let one: Part | undefined = order.leaves[at]; one; one = order.holderOf(one)) {
      const source = numbers.get(one);
      if (++order.work > MOST_WORK) return undefined;
      if (source === undefined) continue;
      leaf.within.push({ source, rank: Infinity });
      // A daemon is never waited for until its end.
      if (!leaf.isDaemon) ended[source]!.push(leaf);
    }
  }
  for (const [source, list] of ended.entries()) {
    list.sort((a, b) => a.to - b.to);
    for (const [rank, { within }] of list.entries()) within.find((one) => one.source === source)!.rank = rank;
  }
  leaves.sort(byBeginning);
  for (const [number, leaf] of leaves.entries()) leaf.number = number;

  return {
    steps: leaves.reduce((sum, { after, within }) => sum + 1 + after.length + within.length, 0),
    of(key) {
      const part = parts.get(key);
      if (!part) return undefined;
      const { first, behind } = places.get(part)!;
      const isMeant = ({ place }: Leaf) => first <= place && place < behind;
      const from = leaves.reduce((least, leaf) => isMeant(leaf) ? Math.min(least, leaf.from) : least, Infinity);
      if (from === Infinity) return undefined;
      const began = millisOf(part.node?.startedAt);
      // All of a box begins, and ends, as its first leaf does, or it before that.
      const box: Beginning = {
        from: Number.isNaN(began) ? from : Math.min(from, began),
        place: first,
        after: afterOf(part),
      };
      return gain(isMeant, part.members.length > 0 ? box : undefined);
    },
  };

  /** Lets the run go on from leaf to leaf, those that are meant in no time, and says by how much its end is earlier. */
  function gain(isMeant: (leaf: Leaf) => boolean, box: Beginning | undefined): number {
    const holds: Hold[] = ended.map(() => ({ was: -Infinity, is: -Infinity, next: 0 }));
    const ends = new Float64Array(leaves.length);
    let [was, is] = [-Infinity, -Infinity];
    let boxStart: number | undefined;
    for (const leaf of leaves) {
      const { number, from, to, within, isLasting } = leaf;
      if (box && boxStart === undefined && byBeginning(box, leaf) <= 0) boxStart = startOf(box, number);
      const isNone = isMeant(leaf);
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

    /** The start of what begins after so many leaves. */
    function startOf({ from, after }: Beginning, begun: number): number {
      let [held, holding] = [-Infinity, -Infinity];
      for (const source of after) {
        const [hold, list] = [holds[source]!, ended[source]!];
        for (; hold.next < list.length && list[hold.next]!.to <= from + CLOCKS_APART; hold.next++) {
          const one = list[hold.next]!;
          // One that has ended and not begun, by the clocks, is looked at when it does.
          if (one.number >= begun) continue;
          hold.was = Math.max(hold.was, one.to);
          hold.is = Math.max(hold.is, ends[one.number]!);
        }
        held = Math.max(held, hold.was);
        holding = Math.max(holding, hold.is);
      }
      return held === -Infinity ? from : holding + from - held;
    }
  }
}

function byBeginning(a: Beginning, b: Beginning): number {
  return a.from - b.from || a.place - b.place;
}

/** The places of all parts: a box before its members, a member before those that came after it. */
function placesIn(whole: Part, order: CameAfter): Map<Part, Places> {
  const places = new Map<Part, Places>();
  const ahead = [whole];
  let next = 0;
  for (let one = ahead.pop(); one; one = ahead.pop()) {
    places.set(one, { first: next, behind: next + one.size });
    next++;
    ahead.push(...inOrder(one.members, order).reverse());
  }
  return places;
}

/** Members of a box, each behind those that it came after. */
function inOrder(members: readonly Part[], order: CameAfter): Part[] {
  const placed = new Set<Part>();
  const seen = new Set<Part | readonly Part[]>();
  const ahead: (readonly [part: Part, isReady: boolean])[] = members.toReversed().map((part) => [part, false]);
  for (let one = ahead.pop(); one; one = ahead.pop()) {
    const [part, isReady] = one;
    if (isReady) placed.add(part);
    else if (!seen.has(part)) {
      seen.add(part);
      ahead.push([part, true]);
      const before = order.beforeIn(part);
      if (!seen.has(before)) { for (const source of before) ahead.push([source, false]); }
      seen.add(before);
    }
  }
  return [...placed];
}

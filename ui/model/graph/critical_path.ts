/**
 * The critical path: the chain of what waited for what that took the whole time of a run. Its segments follow each other
 * without a gap, so their sum is the time from start to end.
 */
import { millisOf } from "../../../lib/status/mod.ts";
import { type Part, partsIn } from "./part.ts";

/** A part of the time: a leaf at work, or nothing at work before a leaf. Milliseconds since 1970. */
export interface Segment {
  /** The key of the leaf; of an idle part the one that began after it, empty at the very end. */
  readonly key: string;
  readonly label: string;
  readonly kind: "run" | "idle";
  readonly from: number;
  readonly to: number;
}

/** The bounds of a run: its end is the present while it goes on. */
export interface RunTimes {
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** The segments of the critical path, first to last. */
export function criticalPath(whole: Part, { startedAt, finishedAt }: RunTimes): Segment[] {
  const before = predecessorsIn(whole);
  const segments: Segment[] = [];
  const seen = new Set<string>();
  let end = finishedAt;
  let at = latest(leavesOf(whole), finishedAt, finishedAt);
  const idle = (key: string, label: string, from: number, to: number) => {
    if (to > from) segments.push({ key, label, kind: "idle", from, to });
  };
  while (at && !seen.has(at.key)) {
    seen.add(at.key);
    const [from, to] = timesOf(at, finishedAt)!;
    const stop = Math.min(to, end);
    const start = Math.max(startedAt, Math.min(from, stop));
    idle(segments.at(-1)?.key ?? "", segments.at(-1)?.label ?? "", stop, end);
    segments.push({ key: at.key, label: at.label, kind: "run", from: start, to: stop });
    end = start;
    at = latest(before(at), start, finishedAt);
  }
  const first = segments.at(-1);
  idle(first?.key ?? "", first?.label ?? "", startedAt, end);
  return segments.reverse();
}

function timesOf({ node }: Part, now: number): [number, number] | undefined {
  const from = millisOf(node?.startedAt);
  if (Number.isNaN(from) || !node || node.phase === "Skipped" || node.phase === "Omitted") return undefined;
  const to = millisOf(node.finishedAt);
  return [from, Number.isNaN(to) ? now : to];
}

/** The leaf that ended last among those that ended by a moment. */
function latest(leaves: Iterable<Part>, moment: number, now: number): Part | undefined {
  let found: Part | undefined;
  let [foundStart, foundEnd] = [-Infinity, -Infinity];
  for (const leaf of leaves) {
    const times = timesOf(leaf, now);
    if (!times || times[1] > moment || times[1] < foundEnd) continue;
    if (times[1] === foundEnd && times[0] >= foundStart) continue; // of those that ended together the one that ran longest
    [found, foundStart, foundEnd] = [leaf, ...times];
  }
  return found;
}

function* leavesOf(part: Part): Generator<Part> {
  for (const one of partsIn(part)) if (one.members.length === 0 && one.node) yield one;
}

/** The leaves that a leaf came after: those in what its own edges come from, else in what those of its boxes do. */
function predecessorsIn(whole: Part): (leaf: Part) => Iterable<Part> {
  const holders = new Map<Part, Part>();
  const sources = new Map<Part, Part[]>();
  for (const holder of partsIn(whole)) {
    for (const member of holder.members) holders.set(member, holder);
    for (const { from, to } of holder.edges) {
      const [a, b] = [holder.members[from]!, holder.members[to]!];
      if (sources.has(b)) sources.get(b)!.push(a);
      else sources.set(b, [a]);
    }
  }
  return function* (leaf) {
    for (let one: Part | undefined = leaf; one; one = holders.get(one)) {
      const found = sources.get(one);
      if (!found) continue;
      for (const source of found) yield* leavesOf(source);
      return;
    }
  };
}

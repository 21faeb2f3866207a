/**
 * The critical path: the chain of dependencies that took the whole time of a run. Its segments are adjacent, so their
 * sum is the duration of the run.
 */
import { PartOrder, type RunTimes } from "./part_order.ts";
import { type Part, partsIn } from "./part.ts";

/** A segment: a running leaf, or an idle time before a leaf. Times are milliseconds since the epoch. */
export interface Segment {
  /** The key of the leaf. For idle time, the leaf that started after it; empty at the end of the run. */
  readonly key: string;
  readonly label: string;
  readonly kind: "run" | "idle";
  readonly from: number;
  readonly to: number;
}

/** Returns the segments of the critical path in order. */
export function criticalPath(whole: Part, times: RunTimes): Segment[] {
  const { startedAt, finishedAt } = times;
  const order = new PartOrder(whole, times);
  const segments: Segment[] = [];
  const seen = new Set<string>();
  let end = finishedAt;
  let leaf = latestLeaf(order, order.awaitedLeaves, finishedAt);
  const idle = (key: string, label: string, from: number, to: number) => {
    if (to > from) segments.push({ key, label, kind: "idle", from, to });
  };
  while (leaf && !seen.has(leaf.key)) {
    seen.add(leaf.key);
    const { from, to } = order.timesOf(leaf)!;
    const stop = Math.min(to, end);
    const start = Math.max(startedAt, Math.min(from, stop));
    idle(segments.at(-1)?.key ?? "", segments.at(-1)?.label ?? "", stop, end);
    segments.push({ key: leaf.key, label: leaf.label, kind: "run", from: start, to: stop });
    end = start;
    leaf = latestLeaf(order, leavesOf(order.sourcesOf(leaf)), from);
  }
  const first = segments.at(-1);
  idle(first?.key ?? "", first?.label ?? "", startedAt, end);
  return segments.reverse();
}

/**
 * Returns the leaf that delayed the start at `moment` the longest: a finished leaf by its end, a running daemon by its
 * start.
 */
function latestLeaf(order: PartOrder, leaves: Iterable<Part>, moment: number): Part | undefined {
  let found: Part | undefined;
  let times = { from: Infinity, held: -Infinity };
  for (const leaf of leaves) {
    const leafTimes = order.timesOf(leaf);
    if (!leafTimes || leafTimes.from > moment) continue;
    const held = order.waitedForEnd(leaf, moment) ? leafTimes.to : leafTimes.from;
    // Of leaves that ended together, the one that ran longest.
    if (held < times.held || held === times.held && leafTimes.from >= times.from) continue;
    [found, times] = [leaf, { from: leafTimes.from, held }];
  }
  return found;
}

function* leavesOf(parts: Iterable<Part>): Generator<Part> {
  for (const part of parts) for (const inner of partsIn(part)) if (inner.members.length === 0) yield inner;
}

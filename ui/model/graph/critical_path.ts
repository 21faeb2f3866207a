/**
 * The critical path: the chain of what waited for what that took the whole time of a run. Its segments follow each other
 * without a gap, so their sum is the time from start to end.
 */
import { CameAfter, type RunTimes } from "./came_after.ts";
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

/** The segments of the critical path, first to last. */
export function criticalPath(whole: Part, times: RunTimes): Segment[] {
  const { startedAt, finishedAt } = times;
  const order = new CameAfter(whole, times);
  const segments: Segment[] = [];
  const seen = new Set<string>();
  let end = finishedAt;
  let at = latest(order, order.lasting, finishedAt);
  const idle = (key: string, label: string, from: number, to: number) => {
    if (to > from) segments.push({ key, label, kind: "idle", from, to });
  };
  while (at && !seen.has(at.key)) {
    seen.add(at.key);
    const { from, to } = order.timesOf(at)!;
    const stop = Math.min(to, end);
    const start = Math.max(startedAt, Math.min(from, stop));
    idle(segments.at(-1)?.key ?? "", segments.at(-1)?.label ?? "", stop, end);
    segments.push({ key: at.key, label: at.label, kind: "run", from: start, to: stop });
    end = start;
    at = latest(order, leavesOf(order.sourcesOf(at)), from);
  }
  const first = segments.at(-1);
  idle(first?.key ?? "", first?.label ?? "", startedAt, end);
  return segments.reverse();
}

/**
 * The leaf that held back longest what began at a moment: one that had ended did so by its end; one that had not, as a daemon,
 * by its start.
 */
function latest(order: CameAfter, leaves: Iterable<Part>, moment: number): Part | undefined {
  let found: Part | undefined;
  let times = { from: Infinity, held: -Infinity };
  for (const leaf of leaves) {
    const one = order.timesOf(leaf);
    if (!one || one.from > moment) continue;
    const held = order.hadEnded(leaf, moment) ? one.to : one.from;
    // Of those that ended together the one that ran longest.
    if (held < times.held || held === times.held && one.from >= times.from) continue;
    [found, times] = [leaf, { from: one.from, held }];
  }
  return found;
}

function* leavesOf(parts: Iterable<Part>): Generator<Part> {
  for (const part of parts) for (const one of partsIn(part)) if (one.members.length === 0) yield one;
}

/** The timeline: a bar for each node over the time of the run, and the ticks of its axis. */
import type { NodeStatus } from "@tiphys/model/api";
import { isPassedOver, millisOf } from "@tiphys/model/status";
import { drained } from "../drained.ts";

/** A span of time, milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** A bar, as parts of the width that is shown: 0 is its left edge, 1 its right one. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  /** The node goes on: the end of its bar is the present. */
  readonly isOpen: boolean;
}

/** The time of a node; undefined for one that never ran. */
export function spanOf(
  node: Pick<NodeStatus, "phase" | "startedAt" | "finishedAt">,
  now: number,
): TimeSpan | undefined {
  const from = millisOf(node.startedAt);
  if (Number.isNaN(from) || isPassedOver(node.phase)) return undefined;
  const end = millisOf(node.finishedAt);
  return { from, to: Math.max(from, Number.isNaN(end) ? now : end) };
}

/** The time of nodes together, and whether one of them goes on. */
export interface NodesSpan extends TimeSpan {
  readonly isOpen: boolean;
}

/** The time that nodes have told of; undefined when none has begun. */
export function nodesSpan(nodes: readonly NodeStatus[]): NodesSpan | undefined {
  return drained(nodesSpanInPieces(nodes));
}

/** Nodes that are looked at without a rest: their times are texts. */
const PIECE = 2_000;

/** The same for tens of thousands of nodes: each `yield` is a place to rest at. */
export function* nodesSpanInPieces(nodes: readonly NodeStatus[]): Generator<undefined, NodesSpan | undefined> {
  let [from, to, isOpen] = [Infinity, -Infinity, false];
  for (const [at, node] of nodes.entries()) {
    if (at % PIECE === PIECE - 1) yield;
    const span = spanOf(node, -Infinity);
    if (!span) continue;
    from = Math.min(from, span.from);
    to = Math.max(to, span.to);
    isOpen ||= Number.isNaN(millisOf(node.finishedAt));
  }
  return from === Infinity ? undefined : { from, to, isOpen };
}

/** The same as it is now: what goes on ends at the present. At least a second. */
export function spanAt({ from, to, isOpen }: NodesSpan, now: number): TimeSpan {
  return { from, to: Math.max(to, isOpen ? now : to, from + 1000) };
}

/** The bar of a node in a window; undefined where it lies outside. */
export function barOf(
  node: Pick<NodeStatus, "phase" | "startedAt" | "finishedAt">,
  window: TimeSpan,
  now: number,
): Bar | undefined {
  const span = spanOf(node, now);
  const part = span && partOf(span, window);
  return part && { ...part, isOpen: !node.finishedAt };
}

/** The part of a window that a span takes; undefined where it lies outside. */
export function partOf(span: TimeSpan, window: TimeSpan): Omit<Bar, "isOpen"> | undefined {
  if (span.to < window.from || span.from > window.to) return undefined;
  const length = window.to - window.from;
  const left = Math.max(0, (span.from - window.from) / length);
  const right = Math.min(1, (span.to - window.from) / length);
  return { left, width: right - left };
}

const STEPS = [
  0.1,
  0.2,
  0.5,
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1800,
  3600,
  7200,
  10_800,
  21_600,
  43_200,
  86_400,
];

/** A tick: where it stands in the window, and the time since the start of the run in milliseconds. */
export interface Tick {
  readonly at: number;
  readonly since: number;
}

/** Ticks at even times since the start of the run, so many at most. */
export function ticksOf(window: TimeSpan, start: number, most: number): Tick[] {
  const length = window.to - window.from;
  const seconds = length / 1000 / Math.max(1, most);
  const step = 1000 * (STEPS.find((one) => one >= seconds) ?? Math.ceil(seconds / 86_400) * 86_400);
  const ticks: Tick[] = [];
  for (let since = Math.ceil((window.from - start) / step) * step; start + since <= window.to; since += step) {
    ticks.push({ at: (start + since - window.from) / length, since });
  }
  return ticks;
}

/** Reads `zoom=t0..t1`, seconds since the start of the run; undefined for a text that is no zoom. */
export function readZoom(text: string | undefined, start: number): TimeSpan | undefined {
  const match = /^(\d+(?:\.\d{1,3})?)\.\.(\d+(?:\.\d{1,3})?)$/.exec(text ?? "");
  if (!match) return undefined;
  const [from, to] = [Number(match[1]), Number(match[2])];
  return to > from ? { from: start + from * 1000, to: start + to * 1000 } : undefined;
}

/** Writes a zoom as readZoom() reads it. */
export function zoomText({ from, to }: TimeSpan, start: number): string {
  const seconds = (at: number) => String(Math.max(0, Math.round(at - start)) / 1000);
  return `${seconds(from)}..${seconds(to)}`;
}

const SHORTEST = 100;

/** A window nearer, or farther, about a place in it from 0 to 1; never beyond the whole. */
export function zoomed(window: TimeSpan, whole: TimeSpan, factor: number, about: number): TimeSpan {
  const longest = whole.to - whole.from;
  const length = Math.min(longest, Math.max(Math.min(SHORTEST, longest), (window.to - window.from) * factor));
  const middle = window.from + (window.to - window.from) * about;
  const from = Math.min(Math.max(whole.from, middle - length * about), whole.to - length);
  return { from, to: from + length };
}

/** The timeline: a bar for each node over the time of the run, and the ticks of its axis. */
import type { NodeStatus } from "@tiphys/model/api";
import { isSkippedOrOmitted, millisOf } from "@tiphys/model/status";
import { runToEnd } from "../run_to_end.ts";

/** A span of time, in milliseconds since the epoch. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** A bar, as fractions of the visible width: 0 is the left edge, 1 the right one. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  /** Whether the node is running, so that its bar ends now. */
  readonly isOpen: boolean;
}

/** Returns the time of a node; undefined if it never ran. */
export function spanOf(
  node: Pick<NodeStatus, "phase" | "startedAt" | "finishedAt">,
  now: number,
): TimeSpan | undefined {
  const from = millisOf(node.startedAt);
  if (Number.isNaN(from) || isSkippedOrOmitted(node.phase)) return undefined;
  const end = millisOf(node.finishedAt);
  return { from, to: Math.max(from, Number.isNaN(end) ? now : end) };
}

/** The total time of nodes, and whether one of them is running. */
export interface NodesSpan extends TimeSpan {
  readonly isOpen: boolean;
}

/** Returns the total time of nodes; undefined if none has started. */
export function nodesSpan(nodes: readonly NodeStatus[]): NodesSpan | undefined {
  return runToEnd(nodesSpanInPieces(nodes));
}

/** The maximum number of nodes that are processed before yielding, because their times must be parsed. */
const PIECE = 2_000;

/** Like `nodesSpan()`, for tens of thousands of nodes: each `yield` is a pause for other work. */
export function* nodesSpanInPieces(nodes: readonly NodeStatus[]): Generator<undefined, NodesSpan | undefined> {
  let [from, to, isOpen] = [Infinity, -Infinity, false];
  for (const [index, node] of nodes.entries()) {
    if (index % PIECE === PIECE - 1) yield;
    const span = spanOf(node, -Infinity);
    if (!span) continue;
    from = Math.min(from, span.from);
    to = Math.max(to, span.to);
    isOpen ||= Number.isNaN(millisOf(node.finishedAt));
  }
  return from === Infinity ? undefined : { from, to, isOpen };
}

/** Returns the time as of `now`, to which running nodes extend. At least one second. */
export function spanAt({ from, to, isOpen }: NodesSpan, now: number): TimeSpan {
  return { from, to: Math.max(to, isOpen ? now : to, from + 1000) };
}

/** Returns the bar of a node in a window; undefined outside the window. */
export function barOf(
  node: Pick<NodeStatus, "phase" | "startedAt" | "finishedAt">,
  window: TimeSpan,
  now: number,
): Bar | undefined {
  const span = spanOf(node, now);
  const part = span && coveredPart(span, window);
  return part && { ...part, isOpen: !node.finishedAt };
}

/** Returns the part of a window that a span covers; undefined outside the window. */
export function coveredPart(span: TimeSpan, window: TimeSpan): Omit<Bar, "isOpen"> | undefined {
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

/** A tick: its position in the window, and the milliseconds since the start of the run. */
export interface Tick {
  readonly at: number;
  readonly since: number;
}

/** Returns ticks at round times since the start of the run, at most `max`. */
export function ticksOf(window: TimeSpan, start: number, max: number): Tick[] {
  const length = window.to - window.from;
  const seconds = length / 1000 / Math.max(1, max);
  const step = 1000 * (STEPS.find((candidate) => candidate >= seconds) ?? Math.ceil(seconds / 86_400) * 86_400);
  const ticks: Tick[] = [];
  for (let since = Math.ceil((window.from - start) / step) * step; start + since <= window.to; since += step) {
    ticks.push({ at: (start + since - window.from) / length, since });
  }
  return ticks;
}

/** Parses `zoom=t0..t1`, seconds since the start of the run; returns undefined for an invalid zoom. */
export function readZoom(text: string | undefined, start: number): TimeSpan | undefined {
  const match = /^(\d+(?:\.\d{1,3})?)\.\.(\d+(?:\.\d{1,3})?)$/.exec(text ?? "");
  if (!match) return undefined;
  const [from, to] = [Number(match[1]), Number(match[2])];
  return to > from ? { from: start + from * 1000, to: start + to * 1000 } : undefined;
}

/** Serializes a zoom for readZoom(). */
export function zoomText({ from, to }: TimeSpan, start: number): string {
  const seconds = (time: number) => String(Math.max(0, Math.round(time - start)) / 1000);
  return `${seconds(from)}..${seconds(to)}`;
}

const MIN_WINDOW_MILLIS = 100;

/** Zooms a window about a position from 0 to 1, within the whole. */
export function zoomWindow(window: TimeSpan, whole: TimeSpan, factor: number, about: number): TimeSpan {
  const longest = whole.to - whole.from;
  const length = Math.min(longest, Math.max(Math.min(MIN_WINDOW_MILLIS, longest), (window.to - window.from) * factor));
  const middle = window.from + (window.to - window.from) * about;
  const from = Math.min(Math.max(whole.from, middle - length * about), whole.to - length);
  return { from, to: from + length };
}

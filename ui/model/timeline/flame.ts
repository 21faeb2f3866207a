/**
 * The flame of a run: its critical path as spans that lie in each other, the run first, then boxes, then leaves. At any
 * moment there is one stack of them and one cause of the time, so the causes sum to the time of the run. Pure.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { durationText } from "../duration.ts";
import type { Segment } from "../graph/critical_path.ts";
import { type Part, partsIn } from "../graph/part.ts";
import type { Family } from "../phase.ts";
import { STAGE_WORDS, STAGES, type StageSpan } from "./stages.ts";
import { partOf, readZoom, type TimeSpan } from "./timeline.ts";
import * as words from "../text/en/flame_view.ts";

/** The causes of time: the stages of a node, a person who is waited for, that nothing was at work, and what nobody tells. */
export const CAUSES = [...STAGES, "person", "between", "unknown"] as const;
/** A cause. */
export type Cause = (typeof CAUSES)[number];

/** The words of each, in the past. */
export const CAUSE_WORDS: Readonly<Record<Cause, string>> = {
  ...STAGE_WORDS,
  person: words.waitedForPerson,
  between: words.nothingRan,
  unknown: words.causeNotKnown,
};

/** A part of the time with its cause. */
export interface CauseSpan extends TimeSpan {
  readonly cause: Cause;
}

/** A span of the flame: a part of the run, or time in which nothing was at work. */
export interface FlameSpan extends TimeSpan {
  /** A part of the run, or time between parts. */
  readonly kind: "part" | "between";
  /** The key of its part; empty where nothing was at work. */
  readonly key: string;
  readonly label: string;
  readonly family: Family;
  /** The place of the span that it lies in, in the row above; -1 in the first. */
  readonly holder: number;
  /** The causes of its time where it holds no other span. */
  readonly causes: readonly CauseSpan[];
}

/** The time that a cause took in all. */
export interface CauseSum {
  readonly cause: Cause;
  readonly millis: number;
}

/** The flame, its rows from the run to the leaves. */
export interface Flame extends TimeSpan {
  readonly rows: readonly (readonly FlameSpan[])[];
  readonly sums: readonly CauseSum[];
}

/** The most rows: of boxes that lie deeper those in the middle are left out. */
const MOST_ROWS = 24;

type Draft = { -readonly [K in keyof FlameSpan]: FlameSpan[K] };

/** The flame of a critical path; undefined where nothing has run. */
export function flameOf(
  whole: Part,
  path: readonly Segment[],
  stagesOf: (node: NodeStatus) => readonly StageSpan[] | undefined,
): Flame | undefined {
  const [first, last] = [path[0], path.at(-1)];
  if (!first || !last || last.to <= first.from) return undefined;
  const ways = waysOf(whole, path);
  const rows: Draft[][] = [];
  const sums = new Map<Cause, number>();
  for (const [place, { kind, from, to }] of path.entries()) {
    if (to <= from) continue;
    const way = ways[place] ?? commonBoxes(ways[place - 1], ways[place + 1], whole);
    const causes = kind === "idle"
      ? [{ cause: "between" as const, from, to }]
      : causesOf(way.at(-1)!, { from, to }, stagesOf);
    for (const one of causes) sums.set(one.cause, (sums.get(one.cause) ?? 0) + one.to - one.from);
    for (const [depth, { key, label, family }] of way.entries()) {
      const isLeaf = kind === "run" && depth === way.length - 1;
      add(rows, depth, { kind: "part", key, label, family, from, to, causes: isLeaf ? causes : [] });
    }
    if (kind === "idle") {
      add(rows, way.length, { kind: "between", key: "", label: CAUSE_WORDS.between, family: "idle", from, to, causes });
    }
  }
  return {
    from: first.from,
    to: last.to,
    rows,
    sums: CAUSES.flatMap((cause) => sums.has(cause) ? [{ cause, millis: sums.get(cause)! }] : []),
  };
}

/** Puts a span into a row; one that goes on is made longer. */
function add(rows: Draft[][], depth: number, span: Omit<Draft, "holder">): void {
  const row = rows[depth] ??= [];
  const last = row.at(-1);
  if (last && last.kind === span.kind && last.key === span.key && last.to === span.from) {
    last.to = span.to;
    last.causes = [...last.causes, ...span.causes];
  } else row.push({ ...span, holder: depth === 0 ? -1 : rows[depth - 1]!.length - 1 });
}

/** The parts from the whole to the leaf of each segment; undefined where nothing was at work. */
function waysOf(whole: Part, path: readonly Segment[]): (readonly Part[] | undefined)[] {
  const wanted = new Set(path.map(({ key }) => key));
  const holders = new Map<Part, Part>();
  const leaves = new Map<string, Part>();
  for (const part of partsIn(whole)) {
    for (const member of part.members) holders.set(member, part);
    if (part.members.length === 0 && wanted.has(part.key)) leaves.set(part.key, part);
  }
  return path.map(({ kind, key }) => {
    const leaf = kind === "run" ? leaves.get(key) : undefined;
    if (!leaf) return undefined;
    const way: Part[] = [];
    for (let one: Part | undefined = leaf; one; one = holders.get(one)) way.push(one);
    way.reverse();
    return way.length <= MOST_ROWS ? way : [...way.slice(0, MOST_ROWS - 1), leaf];
  });
}

/** The boxes in which both the node before and the one after lie: what was not at work lies in them, too. */
function commonBoxes(
  before: readonly Part[] | undefined,
  after: readonly Part[] | undefined,
  whole: Part,
): readonly Part[] {
  if (!before || !after) return [whole];
  const boxes: Part[] = [];
  for (let at = 0; at < Math.min(before.length, after.length) - 1 && before[at] === after[at]; at++) {
    boxes.push(before[at]!);
  }
  return boxes.length > 0 ? boxes : [whole];
}

/** The causes of a leaf's time, one after the other without a gap. */
function causesOf(
  { node }: Part,
  { from, to }: TimeSpan,
  stagesOf: (node: NodeStatus) => readonly StageSpan[] | undefined,
): readonly CauseSpan[] {
  if (node?.type === "Suspend") return [{ cause: "person", from, to }];
  const stages = node && stagesOf(node);
  if (!stages) return [{ cause: "run", from, to }];
  const causes: CauseSpan[] = [];
  let at = from;
  for (const stage of stages) {
    const [begin, end] = [Math.max(at, stage.from), Math.min(to, stage.to)];
    if (end <= begin) continue;
    if (begin > at) causes.push({ cause: "unknown", from: at, to: begin });
    causes.push({ cause: stage.stage, from: begin, to: end });
    at = end;
  }
  if (at < to) causes.push({ cause: causes.length > 0 ? "unknown" : "run", from: at, to });
  return causes;
}

/** A span that holds no other, with the labels of what it lies in. */
export interface FlameLeaf {
  readonly span: FlameSpan;
  readonly within: readonly string[];
}

/** The spans that hold no others, in the order of time: together they are the whole time. */
export function leavesOf({ rows }: Pick<Flame, "rows">): FlameLeaf[] {
  const leaves = rows.flatMap((row, depth) =>
    row.flatMap((span) => {
      if (span.causes.length === 0) return [];
      const within: string[] = [];
      let { holder } = span;
      // The run itself is not named: all lies in it.
      for (let above = depth - 1; above > 0; above--) {
        const box = rows[above]![holder]!;
        within.unshift(box.label);
        holder = box.holder;
      }
      return [{ span, within }];
    })
  );
  return leaves.sort((a, b) => a.span.from - b.span.from);
}

/** A share of a whole in percent; a small one with a tenth. */
export function shareText(part: number, whole: number): string {
  const percent = 100 * part / whole;
  return `${percent >= 10 || percent === 0 ? Math.round(percent) : percent.toFixed(1)} %`;
}

/** A thing that is drawn of a row: one span, or several that are too short to be told apart. */
export interface FlameBlock {
  /** Its place in the window: 0 is the left edge, 1 the right one. */
  readonly left: number;
  readonly width: number;
  /** The places of the first and the last of its spans in the row. */
  readonly first: number;
  readonly last: number;
}

/** The width in pixels below which neighbours are drawn as one. */
const NARROWEST = 4;

/** What is drawn of a row in a window of so many pixels: so many blocks at most as have room. */
export function blocksOf(row: readonly FlameSpan[], window: TimeSpan, pixels: number): FlameBlock[] {
  const blocks: FlameBlock[] = [];
  const least = NARROWEST / Math.max(1, pixels);
  for (const [place, span] of row.entries()) {
    if (span.to <= window.from || span.from >= window.to) continue;
    const { left, width } = partOf(span, window)!;
    const before = blocks.at(-1);
    const isNear = before && width < least && before.width < least && left - before.left < least;
    if (isNear) blocks[blocks.length - 1] = { ...before, width: left + width - before.left, last: place };
    else blocks.push({ left, width, first: place, last: place });
  }
  return blocks;
}

/** A span of the flame by its row and its place in that. */
export interface FlamePlace {
  readonly row: number;
  readonly place: number;
}

/** The place that a key leads to from another; undefined where there is none. */
export function placeAfter({ rows }: Flame, { row, place }: FlamePlace, key: string): FlamePlace | undefined {
  switch (key) {
    case "ArrowLeft":
      return place === 0 ? undefined : { row, place: place - 1 };
    case "ArrowRight":
      return rows[row]?.[place + 1] && { row, place: place + 1 };
    case "ArrowUp":
      return row === 0 ? undefined : { row: row - 1, place: rows[row]![place]!.holder };
    case "ArrowDown": {
      const inner = rows[row + 1]?.findIndex(({ holder }) => holder === place) ?? -1;
      return inner < 0 ? undefined : { row: row + 1, place: inner };
    }
  }
  return undefined;
}

/** The causes of a span's time, in words. */
export function causesText({ causes }: FlameSpan): string {
  return causes.map(({ cause, from, to }) => `${CAUSE_WORDS[cause]} ${durationText(to - from)}`).join(", ");
}

/** The window that a zoom names, told from `origin` on; the whole flame where nothing of it lies in that. */
export function windowOf(flame: TimeSpan, zoom: string | undefined, origin: number): TimeSpan {
  const window = readZoom(zoom, origin);
  return window && window.from < flame.to && window.to > flame.from ? window : flame;
}

/**
 * The flame graph of a run: its critical path as nested spans, from the run through groups to leaves. Every moment has
 * exactly one stack of spans and one cause, so the causes add up to the duration of the run. Pure.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { durationText } from "../duration.ts";
import type { Segment } from "../graph/critical_path.ts";
import { type Part, partsIn } from "../graph/part.ts";
import type { PhaseFamily } from "../phase.ts";
import { STAGE_WORDS, STAGES, type StageSpan } from "./stages.ts";
import { coveredPart, readZoom, type TimeSpan } from "./timeline.ts";
import * as words from "../text/en/critical_path.ts";

/** The causes of time: the stages of a node, a wait for a person, time in which nothing ran, and unknown time. */
export const CAUSES = [...STAGES, "person", "between", "unknown"] as const;
/** A cause. */
export type Cause = (typeof CAUSES)[number];

/** The texts of the causes, in the past tense. */
export const CAUSE_WORDS: Readonly<Record<Cause, string>> = {
  ...STAGE_WORDS,
  person: words.waitedForPerson,
  between: words.nothingRan,
  unknown: words.unknownCause,
};

/** A span of time with its cause. */
export interface CauseSpan extends TimeSpan {
  readonly cause: Cause;
}

/** A span of the flame graph: a part of the run, or time in which nothing ran. */
export interface FlameSpan extends TimeSpan {
  /** A part of the run, or time between parts. */
  readonly kind: "part" | "between";
  /** The key of its part; empty if nothing ran. */
  readonly key: string;
  readonly label: string;
  readonly family: PhaseFamily;
  /** The index of the enclosing span in the row above; -1 in the first row. */
  readonly holder: number;
  /** The causes of its time, if it contains no other span. */
  readonly causes: readonly CauseSpan[];
}

/** The total time that was spent for one cause. */
export interface CauseSum {
  readonly cause: Cause;
  readonly millis: number;
}

/** The flame graph, with rows from the run to the leaves. */
export interface Flame extends TimeSpan {
  readonly rows: readonly (readonly FlameSpan[])[];
  readonly sums: readonly CauseSum[];
}

/** The maximum number of rows that are shown; for deeper groups, the middle ones are left out. */
const MAX_ROWS = 24;

type Draft = { -readonly [K in keyof FlameSpan]: FlameSpan[K] };

/** Builds the flame graph of a critical path; returns undefined if nothing has run. */
export function flameOf(
  whole: Part,
  path: readonly Segment[],
  stagesOf: (node: NodeStatus) => readonly StageSpan[] | undefined,
): Flame | undefined {
  const [first, last] = [path[0], path.at(-1)];
  if (!first || !last || last.to <= first.from) return undefined;
  const partPaths = pathsOf(whole, path);
  const rows: Draft[][] = [];
  const sums = new Map<Cause, number>();
  for (const [place, { kind, from, to }] of path.entries()) {
    if (to <= from) continue;
    const partPath = partPaths[place] ?? commonGroups(partPaths[place - 1], partPaths[place + 1], whole);
    const causes = kind === "idle"
      ? [{ cause: "between" as const, from, to }]
      : causesOf(partPath.at(-1)!, { from, to }, stagesOf);
    for (const cause of causes) sums.set(cause.cause, (sums.get(cause.cause) ?? 0) + cause.to - cause.from);
    for (const [depth, { key, label, family }] of partPath.entries()) {
      const isLeaf = kind === "run" && depth === partPath.length - 1;
      addSpan(rows, depth, { kind: "part", key, label, family, from, to, causes: isLeaf ? causes : [] });
    }
    if (kind === "idle") {
      addSpan(rows, partPath.length, {
        kind: "between",
        key: "",
        label: CAUSE_WORDS.between,
        family: "idle",
        from,
        to,
        causes,
      });
    }
  }
  return {
    from: first.from,
    to: last.to,
    rows,
    sums: CAUSES.flatMap((cause) => sums.has(cause) ? [{ cause, millis: sums.get(cause)! }] : []),
  };
}

/** Adds a span to a row, or extends the last one if it continues. */
function addSpan(rows: Draft[][], depth: number, span: Omit<Draft, "holder">): void {
  const row = rows[depth] ??= [];
  const last = row.at(-1);
  if (last && last.kind === span.kind && last.key === span.key && last.to === span.from) {
    last.to = span.to;
    last.causes = [...last.causes, ...span.causes];
  } else row.push({ ...span, holder: depth === 0 ? -1 : rows[depth - 1]!.length - 1 });
}

/** Returns the parts from the outermost to the leaf of each segment; undefined if nothing ran. */
function pathsOf(whole: Part, path: readonly Segment[]): (readonly Part[] | undefined)[] {
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
    const partPath: Part[] = [];
    for (let part: Part | undefined = leaf; part; part = holders.get(part)) partPath.push(part);
    partPath.reverse();
    return partPath.length <= MAX_ROWS ? partPath : [...partPath.slice(0, MAX_ROWS - 1), leaf];
  });
}

/** Returns the groups that contain both the node before and the node after an idle time. */
function commonGroups(
  before: readonly Part[] | undefined,
  after: readonly Part[] | undefined,
  whole: Part,
): readonly Part[] {
  if (!before || !after) return [whole];
  const boxes: Part[] = [];
  for (let index = 0; index < Math.min(before.length, after.length) - 1 && before[index] === after[index]; index++) {
    boxes.push(before[index]!);
  }
  return boxes.length > 0 ? boxes : [whole];
}

/** Returns the causes of a leaf's time, without gaps. */
function causesOf(
  { node }: Part,
  { from, to }: TimeSpan,
  stagesOf: (node: NodeStatus) => readonly StageSpan[] | undefined,
): readonly CauseSpan[] {
  if (node?.type === "Suspend") return [{ cause: "person", from, to }];
  const stages = node && stagesOf(node);
  if (!stages) return [{ cause: "run", from, to }];
  const causes: CauseSpan[] = [];
  let offset = from;
  for (const stage of stages) {
    const [begin, end] = [Math.max(offset, stage.from), Math.min(to, stage.to)];
    if (end <= begin) continue;
    if (begin > offset) causes.push({ cause: "unknown", from: offset, to: begin });
    causes.push({ cause: stage.stage, from: begin, to: end });
    offset = end;
  }
  if (offset < to) causes.push({ cause: causes.length > 0 ? "unknown" : "run", from: offset, to });
  return causes;
}

/** A span that contains no other, with the labels of the enclosing ones. */
export interface FlameLeaf {
  readonly span: FlameSpan;
  readonly within: readonly string[];
}

/** Returns the spans that contain no others, by time. Together they are the whole time. */
export function leavesOf({ rows }: Pick<Flame, "rows">): FlameLeaf[] {
  const leaves = rows.flatMap((row, depth) =>
    row.flatMap((span) => {
      if (span.causes.length === 0) return [];
      const within: string[] = [];
      let { holder } = span;
      // The run is not named because it encloses everything.
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

/** Formats a share in percent; small ones with one decimal. */
export function shareText(part: number, whole: number): string {
  const percent = 100 * part / whole;
  return `${percent >= 10 || percent === 0 ? Math.round(percent) : percent.toFixed(1)} %`;
}

/** An item that is drawn: one span, or several that are too short to distinguish. */
export interface FlameBlock {
  /** Its position in the window: 0 is the left edge, 1 the right one. */
  readonly left: number;
  readonly width: number;
  /** The indexes of its first and last span in the row. */
  readonly first: number;
  readonly last: number;
}

/** Narrower neighbors are drawn as one, in pixels. */
const NARROWEST = 4;

/** Returns the blocks of a row in a window; their number is limited by the width in pixels. */
export function blocksOf(row: readonly FlameSpan[], window: TimeSpan, pixels: number): FlameBlock[] {
  const blocks: FlameBlock[] = [];
  const min = NARROWEST / Math.max(1, pixels);
  for (const [place, span] of row.entries()) {
    if (span.to <= window.from || span.from >= window.to) continue;
    const { left, width } = coveredPart(span, window)!;
    const before = blocks.at(-1);
    const isNear = before && width < min && before.width < min && left - before.left < min;
    if (isNear) blocks[blocks.length - 1] = { ...before, width: left + width - before.left, last: place };
    else blocks.push({ left, width, first: place, last: place });
  }
  return blocks;
}

/** A span by its row and its index in the row. */
export interface FlamePlace {
  readonly row: number;
  readonly place: number;
}

/** Returns where a key moves the selection; undefined at the edge. */
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

/** Describes the causes of a span's time. */
export function causesText({ causes }: FlameSpan): string {
  return causes.map(({ cause, from, to }) => `${CAUSE_WORDS[cause]} ${durationText(to - from)}`).join(", ");
}

/** Returns the window of a zoom relative to `origin`; the whole flame graph if they do not overlap. */
export function windowOf(flame: TimeSpan, zoom: string | undefined, origin: number): TimeSpan {
  const window = readZoom(zoom, origin);
  return window && window.from < flame.to && window.to > flame.from ? window : flame;
}

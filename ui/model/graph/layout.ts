/**
 * The layout of a whole graph, from the inside out: each open group lays out its members, and is then itself a member
 * of its enclosing group. Groups with an unchanged shape are not laid out again, so a change of phases moves nothing.
 */
import { type LayeredLayout, layLayered } from "./layered.ts";
import type { Part } from "./part.ts";

/** A part with its position, in coordinates of the whole picture. */
export interface PlacedPart {
  readonly part: Part;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isOpen: boolean;
  /** The group in which it is drawn; undefined for top-level parts. */
  readonly holder: PlacedPart | undefined;
}

/** An edge with its points, x and y alternating, including both ends. */
export interface Route {
  readonly from: PlacedPart;
  readonly to: PlacedPart;
  readonly kind: "after" | "hook";
  readonly points: readonly number[];
}

/** A laid out graph. Groups come before their members. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly placed: readonly PlacedPart[];
  readonly routes: readonly Route[];
}

/** Sizes in pixels at 100 %. */
export const SIZE = {
  leaf: 46,
  folded: 62,
  header: 30,
  padding: 14,
  letter: 7.4,
  narrowest: 128,
  /** The minimum width of a part that shows more than name and time, such as counts or attempts. */
  narrowestFolded: 156,
  widest: 264,
} as const;

/** The layout of one group, with its input. */
interface Box {
  readonly keys: readonly string[];
  readonly widths: Float64Array;
  readonly heights: Float64Array;
  readonly edges: Int32Array;
  readonly layered: LayeredLayout;
}

/** Lays out graphs, and keeps previous results so that the next layout is similar. */
export class Layout {
  #boxes = new Map<string, Box>();

  /** Returns the positions of all visible parts, given the open ones. */
  layOut(whole: Part, open: ReadonlySet<string>): Picture {
    const used = new Map<string, Box>();
    const { width, height } = this.#layOutMembers(whole, open, used);
    this.#boxes = used;
    const placed: PlacedPart[] = [];
    const routes: Route[] = [];
    this.#place(whole, { x: 0, y: 0, holder: undefined }, open, placed, routes);
    return { width, height, placed, routes };
  }

  /** Lays out the members of an open part, and returns their size without the frame. */
  #layOutMembers(part: Part, open: ReadonlySet<string>, used: Map<string, Box>): { width: number; height: number } {
    const { members } = part;
    const widths = new Float64Array(members.length);
    const heights = new Float64Array(members.length);
    members.forEach((member, index) => {
      const size = isOpen(member, open)
        ? sizeWithFrame(this.#layOutMembers(member, open, used), member)
        : closedSize(member);
      widths[index] = size.width;
      heights[index] = size.height;
    });
    const edges = new Int32Array(part.edges.length * 2);
    part.edges.forEach(({ from, to }, index) => edges.set([from, to], index * 2));
    const keys = members.map(({ key }) => key);
    const former = this.#boxes.get(part.key);
    const wanted = { keys, widths, heights, edges };
    const box = former && isSame(former, wanted) ? former : { ...wanted, layered: layOutBox(wanted, former) };
    used.set(part.key, box);
    return box.layered;
  }

  #place(
    part: Part,
    origin: { readonly x: number; readonly y: number; readonly holder: PlacedPart | undefined },
    open: ReadonlySet<string>,
    placed: PlacedPart[],
    routes: Route[],
  ): void {
    const { widths, heights, layered } = this.#boxes.get(part.key)!;
    const own: PlacedPart[] = [];
    for (const [i, member] of part.members.entries()) {
      const placedPart: PlacedPart = {
        part: member,
        x: origin.x + layered.x[i]!,
        y: origin.y + layered.y[i]!,
        width: widths[i]!,
        height: heights[i]!,
        isOpen: isOpen(member, open),
        holder: origin.holder,
      };
      own.push(placedPart);
      placed.push(placedPart);
      if (!placedPart.isOpen) continue;
      const inside = { x: placedPart.x + SIZE.padding, y: placedPart.y + SIZE.header, holder: placedPart };
      this.#place(member, inside, open, placed, routes);
    }
    for (const [i, { from, to, kind }] of part.edges.entries()) {
      const bends = (layered.bends[i] ?? []).map((value, axis) => value + (axis % 2 ? origin.y : origin.x));
      const [a, b] = [own[from]!, own[to]!];
      const points = [a.x + a.width, a.y + a.height / 2, ...bends, b.x, b.y + b.height / 2];
      routes.push({ from: a, to: b, kind, points });
    }
  }
}

function isOpen(part: Part, open: ReadonlySet<string>): boolean {
  return part.members.length > 0 && open.has(part.key);
}

function sizeWithFrame(inner: { readonly width: number; readonly height: number }, { label }: Part) {
  return {
    width: Math.max(inner.width + 2 * SIZE.padding, textWidth(label) + 72),
    height: inner.height + SIZE.header + SIZE.padding,
  };
}

/** The size of a part drawn as a single box. It depends on the label and the kind, never on the phase. */
function closedSize({ label, kind, members, attempts, declared = "" }: Part): { width: number; height: number } {
  const isOne = kind === "leaf" || kind === "artifact";
  const isFolded = members.length > 0 || !isOne || attempts.length > 1;
  // The second line has a smaller font.
  const width = Math.max(textWidth(label) + (isFolded ? 72 : 46), textWidth(declared) * 0.9 + 24);
  return {
    width: Math.round(Math.min(SIZE.widest, Math.max(isFolded ? SIZE.narrowestFolded : SIZE.narrowest, width)) / 4) * 4,
    height: isFolded ? SIZE.folded : SIZE.leaf,
  };
}

function textWidth(label: string): number {
  return Math.min(SIZE.widest, label.length * SIZE.letter);
}

function isSame(former: Box, box: Omit<Box, "layered">): boolean {
  return areEqualArrays(former.keys, box.keys) && areEqualArrays(former.widths, box.widths) &&
    areEqualArrays(former.heights, box.heights) && areEqualArrays(former.edges, box.edges);
}

function areEqualArrays<T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function layOutBox(box: Omit<Box, "layered">, former: Box | undefined): LayeredLayout {
  if (box.edges.length === 0 && box.keys.length > 3) return layOutGrid(box);
  return layLayered({ ...box, former: former && previousCentersOf(box, former) });
}

/** Returns the previous centers of parts; NaN for new ones. */
function previousCentersOf({ keys }: Omit<Box, "layered">, former: Box): Float64Array {
  const places = new Map(former.keys.map((key, index) => [key, former.layered.y[index]! + former.heights[index]! / 2]));
  return Float64Array.from(keys, (key) => places.get(key) ?? NaN);
}

const GRID_GAP = 12;

/** Parts without edges are arranged in a grid that is wider than high. */
function layOutGrid({ widths, heights }: Omit<Box, "layered">): LayeredLayout {
  const count = widths.length;
  let [width, height] = [0, 0];
  for (let i = 0; i < count; i++) [width, height] = [Math.max(width, widths[i]!), Math.max(height, heights[i]!)];
  const columns = Math.max(1, Math.round(Math.sqrt(count * 1.6 * (height + GRID_GAP) / (width + GRID_GAP))));
  const x = Float64Array.from(widths, (_, i) => (i % columns) * (width + GRID_GAP));
  const y = Float64Array.from(widths, (_, i) => Math.floor(i / columns) * (height + GRID_GAP));
  const rows = Math.ceil(count / columns);
  return {
    x,
    y,
    width: Math.min(columns, count) * (width + GRID_GAP) - GRID_GAP,
    height: rows * (height + GRID_GAP) - GRID_GAP,
    bends: [],
  };
}

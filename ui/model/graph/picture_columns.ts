/** A picture as columns of numbers: how a layout goes from one thread to another without a copy. */
import { type Part, partsIn } from "./part.ts";
import type { Picture, Placed, Route } from "./layout.ts";

/** A picture whose parts are named by their places in `partsIn` of the whole that was laid out. */
export interface PictureColumns {
  readonly width: number;
  readonly height: number;
  readonly parts: Int32Array<ArrayBuffer>;
  /** The place of the holder among the placed ones; -1 for none. */
  readonly holders: Int32Array<ArrayBuffer>;
  readonly isOpen: Uint8Array<ArrayBuffer>;
  /** `x`, `y`, `width` and `height` of each. */
  readonly boxes: Float64Array<ArrayBuffer>;
  /** `from` and `to` of each route, among the placed ones, and 1 for a hook. */
  readonly routes: Int32Array<ArrayBuffer>;
  /** The end of the points of each route. */
  readonly ends: Int32Array<ArrayBuffer>;
  readonly points: Float64Array<ArrayBuffer>;
}

/** The columns of a picture, and what of them can be handed over. */
export function columnsOf(whole: Part, { width, height, placed, routes }: Picture): PictureColumns {
  const numbers = new Map<Part, number>();
  for (const part of partsIn(whole)) numbers.set(part, numbers.size);
  const places = new Map(placed.map((one, place) => [one, place]));
  const boxes = new Float64Array(placed.length * 4);
  placed.forEach((one, at) => boxes.set([one.x, one.y, one.width, one.height], at * 4));
  const lines = new Int32Array(routes.length * 3);
  const ends = new Int32Array(routes.length);
  const points = new Float64Array(routes.reduce((sum, route) => sum + route.points.length, 0));
  let end = 0;
  routes.forEach((route, at) => {
    lines.set([places.get(route.from)!, places.get(route.to)!, route.kind === "hook" ? 1 : 0], at * 3);
    points.set(route.points, end);
    ends[at] = end += route.points.length;
  });
  return {
    width,
    height,
    parts: Int32Array.from(placed, ({ part }) => numbers.get(part)!),
    holders: Int32Array.from(placed, ({ holder }) => holder ? places.get(holder)! : -1),
    isOpen: Uint8Array.from(placed, ({ isOpen }) => isOpen ? 1 : 0),
    boxes,
    routes: lines,
    ends,
    points,
  };
}

/** The memory of columns, which is handed over and not copied. */
export function memoryOf(columns: PictureColumns): ArrayBuffer[] {
  const { parts, holders, isOpen, boxes, routes, ends, points } = columns;
  return [parts, holders, isOpen, boxes, routes, ends, points].map(({ buffer }) => buffer);
}

/** The number of parts or routes that are made before each `yield`, at which others may have the thread. */
const AT_ONCE = 500;

/** Makes the picture of columns; each `yield` is a place to rest at. */
export function* pictureOf(whole: Part, columns: PictureColumns): Generator<undefined, Picture> {
  const { width, height, parts, holders, isOpen, boxes, routes: lines, ends, points } = columns;
  const all: Part[] = [];
  for (const part of partsIn(whole)) {
    all.push(part);
    if (all.length % AT_ONCE === 0) yield;
  }
  const placed: Placed[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = all[parts[at]!];
    if (!part) throw new Error(`Expected a part with the number ${parts[at]}, there are ${all.length}`);
    placed.push({
      part,
      x: boxes[at * 4]!,
      y: boxes[at * 4 + 1]!,
      width: boxes[at * 4 + 2]!,
      height: boxes[at * 4 + 3]!,
      isOpen: isOpen[at] === 1,
      holder: placed[holders[at]!],
    });
    if (at % AT_ONCE === 0) yield;
  }
  const routes: Route[] = [];
  for (let at = 0; at < ends.length; at++) {
    routes.push({
      from: placed[lines[at * 3]!]!,
      to: placed[lines[at * 3 + 1]!]!,
      kind: lines[at * 3 + 2] === 1 ? "hook" : "after",
      points: Array.from(points.subarray(at === 0 ? 0 : ends[at - 1], ends[at])),
    });
    if (at % AT_ONCE === 0) yield;
  }
  return { width, height, placed, routes };
}

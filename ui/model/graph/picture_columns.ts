/** A picture as arrays of numbers, which a worker can transfer without copying. */
import { type Part, partsIn } from "./part.ts";
import type { Picture, PlacedPart, Route } from "./layout.ts";

/** A picture whose parts are indexes into `partsIn` of the laid out whole. */
export interface PictureColumns {
  readonly width: number;
  readonly height: number;
  readonly parts: Int32Array<ArrayBuffer>;
  /** The index of the enclosing group among the placed parts; -1 for none. */
  readonly holders: Int32Array<ArrayBuffer>;
  readonly isOpen: Uint8Array<ArrayBuffer>;
  /** `x`, `y`, `width` and `height` of each part. */
  readonly boxes: Float64Array<ArrayBuffer>;
  /** `from` and `to` of each route as indexes of placed parts, and 1 for a hook. */
  readonly routes: Int32Array<ArrayBuffer>;
  /** The end of each route within `points`. */
  readonly ends: Int32Array<ArrayBuffer>;
  readonly points: Float64Array<ArrayBuffer>;
}

/** Converts a picture to arrays. */
export function columnsOf(whole: Part, { width, height, placed, routes }: Picture): PictureColumns {
  const numbers = new Map<Part, number>();
  for (const part of partsIn(whole)) numbers.set(part, numbers.size);
  const places = new Map(placed.map((placedPart, index) => [placedPart, index]));
  const boxes = new Float64Array(placed.length * 4);
  placed.forEach((placedPart, index) =>
    boxes.set([placedPart.x, placedPart.y, placedPart.width, placedPart.height], index * 4)
  );
  const lines = new Int32Array(routes.length * 3);
  const ends = new Int32Array(routes.length);
  const points = new Float64Array(routes.reduce((sum, route) => sum + route.points.length, 0));
  let end = 0;
  routes.forEach((route, index) => {
    lines.set([places.get(route.from)!, places.get(route.to)!, route.kind === "hook" ? 1 : 0], index * 3);
    points.set(route.points, end);
    ends[index] = end += route.points.length;
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

/** Returns the transferable buffers. */
export function memoryOf(columns: PictureColumns): ArrayBuffer[] {
  const { parts, holders, isOpen, boxes, routes, ends, points } = columns;
  return [parts, holders, isOpen, boxes, routes, ends, points].map(({ buffer }) => buffer);
}

/** The maximum number of parts or routes that are created before yielding. */
const AT_ONCE = 500;

/** Restores the picture; each `yield` is a pause for other work. */
export function* pictureOf(whole: Part, columns: PictureColumns): Generator<undefined, Picture> {
  const { width, height, parts, holders, isOpen, boxes, routes: lines, ends, points } = columns;
  const all: Part[] = [];
  for (const part of partsIn(whole)) {
    all.push(part);
    if (all.length % AT_ONCE === 0) yield;
  }
  const placed: PlacedPart[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = all[parts[index]!];
    if (!part) throw new Error(`Expected a part with the number ${parts[index]}, there are ${all.length}`);
    placed.push({
      part,
      x: boxes[index * 4]!,
      y: boxes[index * 4 + 1]!,
      width: boxes[index * 4 + 2]!,
      height: boxes[index * 4 + 3]!,
      isOpen: isOpen[index] === 1,
      holder: placed[holders[index]!],
    });
    if (index % AT_ONCE === 0) yield;
  }
  const routes: Route[] = [];
  for (let index = 0; index < ends.length; index++) {
    routes.push({
      from: placed[lines[index * 3]!]!,
      to: placed[lines[index * 3 + 1]!]!,
      kind: lines[index * 3 + 2] === 1 ? "hook" : "after",
      points: Array.from(points.subarray(index === 0 ? 0 : ends[index - 1], ends[index])),
    });
    if (index % AT_ONCE === 0) yield;
  }
  return { width, height, placed, routes };
}

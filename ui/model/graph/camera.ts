/** The camera over a picture: the position of its upper left corner on the screen, and the zoom factor. */
import type { PlacedPart } from "./layout.ts";

/** A camera. A point of the picture is on the screen at `x + k * px`, `y + k * py`. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

/** A width and a height. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** A rectangle. */
export interface Rect extends Extent {
  readonly x: number;
  readonly y: number;
}

const MIN_ZOOM = 0.01;
const MAX_ZOOM = 4;
const MARGIN = 24;

/** The smallest zoom at which parts show details. Below it they show only their names, in larger letters. */
export const MIN_DETAIL_ZOOM = 0.75;
/** The smallest zoom at which all names are readable. */
export const MIN_NAME_ZOOM = 0.3;
/** The smallest zoom at which a whole graph is shown at first. */
export const MIN_WHOLE_ZOOM = 0.2;
/** The letter size of names at 100 %, in pixels. */
export const NORMAL_LABEL = 13;
/** The smallest letter size of names on the screen, in pixels. */
const MIN_LABEL_SIZE = 11;
/** The largest letter size of names in the picture, so that a name fits into its part. */
const MAX_LABEL_SIZE = 32;

/** Returns the letter size of names in the picture, as a whole number so that zooming rarely changes elements. */
export function labelSize(k: number): number {
  return k >= MIN_DETAIL_ZOOM ? NORMAL_LABEL : Math.min(MAX_LABEL_SIZE, Math.round(MIN_LABEL_SIZE / k));
}

/** Returns the camera that centers the whole picture, at 100 % or less. */
export function fitPicture(picture: Extent, screen: Extent): Camera {
  const room = { width: Math.max(1, screen.width - 2 * MARGIN), height: Math.max(1, screen.height - 2 * MARGIN) };
  const k = clampZoom(Math.min(1, room.width / Math.max(1, picture.width), room.height / Math.max(1, picture.height)));
  return centreOn({ x: 0, y: 0, ...picture }, screen, k);
}

/** Returns the camera with zoom `k` that centers a rectangle. */
export function centreOn({ x, y, width, height }: Rect, screen: Extent, k: number): Camera {
  return { k, x: screen.width / 2 - k * (x + width / 2), y: screen.height / 2 - k * (y + height / 2) };
}

/** Moves the camera as little as possible so that a picture larger than the screen leaves no empty margin. */
export function removeMargin(camera: Camera, picture: Extent, screen: Extent): Camera {
  const along = (position: number, size: number, room: number) =>
    size + 2 * MARGIN <= room ? position : Math.min(MARGIN, Math.max(room - MARGIN - size, position));
  return {
    ...camera,
    x: along(camera.x, camera.k * picture.width, screen.width),
    y: along(camera.y, camera.k * picture.height, screen.height),
  };
}

/** Zooms about a point of the screen that stays in place. */
export function zoomAbout(camera: Camera, factor: number, point: { readonly x: number; readonly y: number }): Camera {
  const k = clampZoom(camera.k * factor);
  const ratio = k / camera.k;
  return { k, x: point.x - (point.x - camera.x) * ratio, y: point.y - (point.y - camera.y) * ratio };
}

function clampZoom(k: number): number {
  return Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, k));
}

/** Returns the visible part of the picture. */
export function inView({ x, y, k }: Camera, { width, height }: Extent): Rect {
  return { x: -x / k, y: -y / k, width: width / k, height: height / k };
}

/** Reports whether two rectangles overlap. */
export function doOverlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Moves the camera as little as possible to make a rectangle visible; returns the same camera if it is. */
export function moveIntoView(camera: Camera, part: Rect, screen: Extent): Camera {
  const left = camera.x + camera.k * part.x;
  const top = camera.y + camera.k * part.y;
  const dx = shiftIntoView(left, left + camera.k * part.width, screen.width);
  const dy = shiftIntoView(top, top + camera.k * part.height, screen.height);
  return dx || dy ? { ...camera, x: camera.x + dx, y: camera.y + dy } : camera;
}

function shiftIntoView(from: number, to: number, size: number): number {
  if (from < MARGIN) return MARGIN - from;
  return to > size - MARGIN ? Math.max(size - MARGIN - to, MARGIN - from) : 0;
}

/**
 * Makes a part visible that was just opened: zooms out only as far as names stay readable, about its corner, and moves
 * as little as possible. A part that is still too large is shown from its beginning.
 */
export function revealPart(camera: Camera, part: Rect, screen: Extent): Camera {
  const k = Math.min(camera.k, Math.max(MIN_NAME_ZOOM, fitPicture(part, screen).k));
  const step = camera.k - k;
  return moveIntoView({ k, x: camera.x + step * part.x, y: camera.y + step * part.y }, part, screen);
}

/** Returns the camera after a new layout so that a part stays in place on the screen. */
export function keepInPlace(camera: Camera, before: PlacedPart, after: PlacedPart): Camera {
  return { ...camera, x: camera.x + camera.k * (before.x - after.x), y: camera.y + camera.k * (before.y - after.y) };
}

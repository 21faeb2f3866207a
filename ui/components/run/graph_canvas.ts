/** Draws a graph on a canvas, if there are too many visible parts for elements. */
import {
  type Camera,
  doOverlap,
  type Extent,
  inView,
  labelSize,
  MIN_NAME_ZOOM,
  type Rect,
} from "../../model/graph/camera.ts";
import { curveThrough } from "../../model/graph/curve.ts";
import { cutLabel } from "../../model/graph/cut_label.ts";
import type { Picture, PlacedPart, Route } from "../../model/graph/layout.ts";
import type { Shade, Tints } from "../../model/graph/tint.ts";
import type { PhaseFamily } from "../../model/phase.ts";

/** The colors of the theme, as computed by the browser. */
export interface GraphColours extends Readonly<Record<PhaseFamily | Shade, string>> {
  readonly text: string;
  readonly border: string;
  readonly ground: string;
  readonly accent: string;
}

/** The picture to draw, and the marked parts. */
export interface CanvasScene {
  readonly picture: Picture;
  readonly camera: Camera;
  readonly colours: GraphColours;
  readonly selected: string | undefined;
  readonly marked: ReadonlySet<string>;
  readonly tints: Tints | undefined;
}

/** The smallest zooms at which frames and curves are drawn. */
const FRAME_FROM = 0.2;
const CURVES_FROM = 0.3;
/** Above this number of visible edges, they are drawn as thin lines. */
const MANY_EDGES = 4_000;

/** Draws the visible part. The canvas has the size of the extent times the device pixel ratio. */
export function drawGraph(
  context: CanvasRenderingContext2D,
  extent: Extent,
  density: number,
  scene: CanvasScene,
): void {
  const { camera, picture } = scene;
  const view = inView(camera, extent);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, extent.width * density, extent.height * density);
  context.setTransform(camera.k * density, 0, 0, camera.k * density, camera.x * density, camera.y * density);
  const seen = picture.placed.filter((placedPart) => doOverlap(view, placedPart));
  drawEdges(context, picture.routes.filter(({ from, to }) => isEdgeVisible(view, from, to)), scene);
  if (camera.k < FRAME_FROM) drawDots(context, seen, scene);
  else for (const placed of seen) drawPart(context, placed, scene);
}

/** Reports whether the area of two parts is visible. Called for each edge, so it allocates nothing. */
function isEdgeVisible({ x, y, width, height }: Rect, a: PlacedPart, b: PlacedPart): boolean {
  return Math.min(a.x, b.x) < x + width && Math.max(a.x + a.width, b.x + b.width) > x &&
    Math.min(a.y, b.y) < y + height && Math.max(a.y + a.height, b.y + b.height) > y;
}

function drawEdges(
  context: CanvasRenderingContext2D,
  routes: readonly Route[],
  { camera, colours }: CanvasScene,
): void {
  context.strokeStyle = colours.border;
  context.lineWidth = 1 / Math.max(camera.k, 0.25);
  context.globalAlpha = routes.length > MANY_EDGES ? 0.35 : 0.8;
  if (camera.k >= CURVES_FROM && routes.length <= MANY_EDGES) {
    for (const { points } of routes) context.stroke(new Path2D(curveThrough(points)));
  } else {
    context.beginPath();
    for (const { points } of routes) {
      context.moveTo(points[0]!, points[1]!);
      for (let i = 2; i < points.length; i += 2) context.lineTo(points[i]!, points[i + 1]!);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** At small zoom a part is a dot in its color. */
function drawDots(context: CanvasRenderingContext2D, seen: readonly PlacedPart[], scene: CanvasScene): void {
  const groups = new Map<PhaseFamily | Shade | "border", PlacedPart[]>();
  for (const placed of seen) {
    if (placed.isOpen) continue;
    const colour = scene.tints ? scene.tints.tintOf(placed.part)?.shade ?? "border" : placed.part.family;
    if (groups.has(colour)) groups.get(colour)!.push(placed);
    else groups.set(colour, [placed]);
  }
  for (const [colour, parts] of groups) {
    context.fillStyle = scene.colours[colour];
    context.beginPath();
    for (const { x, y, width, height } of parts) context.rect(x, y, width, height);
    context.fill();
  }
  for (const placed of seen) if (isMarked(placed, scene)) drawMark(context, placed, scene);
}

function drawPart(context: CanvasRenderingContext2D, placedPart: PlacedPart, scene: CanvasScene): void {
  const { part, x, y, width, height, isOpen } = placedPart;
  const { camera, colours } = scene;
  if (isMarked(placedPart, scene)) drawMark(context, placedPart, scene);
  context.beginPath();
  context.roundRect(x, y, width, height, 6);
  if (!isOpen) {
    const tint = scene.tints?.tintOf(part);
    context.fillStyle = tint ? colours[tint.shade] : colours.ground;
    context.fill();
  }
  context.strokeStyle = isOpen ? colours.border : colours[part.family];
  context.lineWidth = part.family === "failed" && !isOpen ? 3 : 1.25;
  context.setLineDash(part.isPlanned ? [5, 4] : part.family === "waits" && !isOpen ? [2, 2] : []);
  context.stroke();
  context.setLineDash([]);
  if (!isOpen) {
    context.fillStyle = colours[part.family];
    context.fillRect(x, y + 6, 4, height - 12);
  }
  if (camera.k < MIN_NAME_ZOOM) return;
  const size = labelSize(camera.k);
  context.fillStyle = colours.text;
  context.font = `${size}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.fillText(cutToWidth(part.label, width - 24, size), x + 14, isOpen ? y + 15 : y + height / 2);
}

function isMarked({ part }: PlacedPart, { selected, marked }: CanvasScene): boolean {
  return part.key === selected || marked.has(part.key);
}

function drawMark(context: CanvasRenderingContext2D, placedPart: PlacedPart, { camera, colours }: CanvasScene): void {
  const edge = 3 / Math.max(camera.k, 0.1);
  context.strokeStyle = colours.accent;
  context.lineWidth = edge;
  context.strokeRect(
    placedPart.x - edge,
    placedPart.y - edge,
    placedPart.width + 2 * edge,
    placedPart.height + 2 * edge,
  );
}

/** The mean width of a letter, as a share of its size. */
const LETTER_WIDTH = 0.546;

/** Cuts a label to the available width, for letters of a size. */
export function cutToWidth(label: string, room: number, size = 13): string {
  return cutLabel(label, Math.floor(room / size / LETTER_WIDTH));
}

/** Returns the size of letters at which a label fills the available width. */
export function fontSizeFor(label: string, room: number): number {
  return Math.floor(room / label.length / LETTER_WIDTH);
}

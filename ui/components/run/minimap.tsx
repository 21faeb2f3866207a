/**
 * The minimap of a graph: all of it in a corner, with a frame around the visible part. Keyboard users have arrow keys
 * and `Fit`.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { runWithPauses } from "../../api/pauses.ts";
import type { Rect } from "../../model/graph/camera.ts";
import type { Picture } from "../../model/graph/layout.ts";
import { selectByFamily } from "../../model/graph/select_by_family.ts";
import { FAMILIES, type PhaseFamily } from "../../model/phase.ts";

interface Props {
  readonly picture: Picture;
  /** The visible part of the picture. */
  readonly view: Rect;
  /** Called to center a point of the picture. */
  readonly onGo: (x: number, y: number) => void;
}

/** The largest and the smallest size of the minimap: a graph that is one long row is stretched to be visible. */
const MAX_SIZE = { width: 168, height: 112 };
const MIN_SIDE = 28;
/** The smallest size of a part, and of the frame. */
const PART = 1.5;
const FRAME = 6;
/** About how many parts are drawn: the minimap has no space for more. */
const MAX_PARTS = 4_000;

/** The minimap; renders nothing if the whole graph is visible. */
export function Minimap({ picture, view, onGo }: Props) {
  const box = useRef<SVGSVGElement>(null);
  // Drawn after the picture itself, which is more important.
  const [shapes, setShapes] = useState<readonly Shape[]>([]);
  useEffect(() => {
    let isShown = true;
    void runWithPauses(shapesOf(picture)).then((made) => isShown && setShapes(made));
    return () => {
      isShown = false;
    };
  }, [picture]);
  const isWhole = view.x <= 0 && view.y <= 0 && view.x + view.width >= picture.width &&
    view.y + view.height >= picture.height;
  if (isWhole || picture.width === 0) return null;
  const { width, height } = extentOf(picture);
  const [unitX, unitY] = [picture.width / width, picture.height / height];
  const go = ({ clientX, clientY }: PointerEvent) => {
    const { left = 0, top = 0 } = box.current?.getBoundingClientRect() ?? {};
    onGo((clientX - left) * unitX, (clientY - top) * unitY);
  };
  const frame = { width: Math.max(view.width, FRAME * unitX), height: Math.max(view.height, FRAME * unitY) };
  return (
    <svg
      ref={box}
      class="minimap"
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${picture.width} ${picture.height}`}
      preserveAspectRatio="none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) go(event);
      }}
    >
      {shapes.map(({ family, d }) => <path key={family} class={`phase-${family}`} d={d} />)}
      <rect
        class="minimap-view"
        x={view.x + (view.width - frame.width) / 2}
        y={view.y + (view.height - frame.height) / 2}
        {...frame}
      />
    </svg>
  );
}

/** The size of the minimap, in pixels. */
function extentOf({ width, height }: Picture) {
  const scale = Math.max(width / MAX_SIZE.width, height / MAX_SIZE.height);
  return { width: Math.max(MIN_SIDE, width / scale), height: Math.max(MIN_SIDE, height / scale) };
}

/** The parts of a family as one path. */
interface Shape {
  readonly family: PhaseFamily;
  readonly d: string;
}

/** Yields a path for each family, so that the minimap has few elements; each `yield` is a pause for other work. */
function* shapesOf(picture: Picture): Generator<undefined, Shape[]> {
  const map = extentOf(picture);
  const min = { width: PART * picture.width / map.width, height: PART * picture.height / map.height };
  const closed: Picture["placed"][number][] = [];
  for (const placed of picture.placed) if (!placed.isOpen) closed.push(placed);
  yield;
  const leaves = yield* selectByFamily(closed, ({ part }) => part.family, MAX_PARTS);
  const shapes: Shape[] = [];
  // Failed parts are drawn last, on top.
  for (const family of FAMILIES.toReversed()) {
    yield;
    const list = leaves.get(family)?.map((placedPart) => {
      const width = Math.round(Math.max(placedPart.width, min.width));
      const height = Math.round(Math.max(placedPart.height, min.height));
      return `M${Math.round(placedPart.x)} ${Math.round(placedPart.y)}h${width}v${height}h${-width}z`;
    });
    if (list) shapes.push({ family, d: list.join("") });
  }
  return shapes;
}

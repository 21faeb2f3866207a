/** The map of a graph: all of it in a corner, with a frame around what is in view. Keys and `Fit` do the same without it. */
import { useMemo, useRef } from "preact/hooks";
import type { Rect } from "../../model/graph/camera.ts";
import type { Picture } from "../../model/graph/layout.ts";
import { FAMILIES, type Family } from "../../model/phase.ts";

interface Props {
  readonly picture: Picture;
  /** The part of the picture that is in view. */
  readonly view: Rect;
  /** Brings a point of the picture into the middle. */
  readonly onGo: (x: number, y: number) => void;
}

const WIDTH = 168;
const HEIGHT = 112;
/** The most parts that are drawn: of more, each so-manieth. A map of that size has no more points. */
const MOST_PARTS = 4_000;

/** The map; nothing where all of the graph is in view. */
export function Minimap({ picture, view, onGo }: Props) {
  const box = useRef<SVGSVGElement>(null);
  const shapes = useMemo(() => shapesOf(picture), [picture]);
  const isWhole = view.x <= 0 && view.y <= 0 && view.x + view.width >= picture.width &&
    view.y + view.height >= picture.height;
  if (isWhole || picture.width === 0) return null;
  const scale = Math.max(picture.width / WIDTH, picture.height / HEIGHT);
  const go = ({ clientX, clientY }: PointerEvent) => {
    const { left = 0, top = 0 } = box.current?.getBoundingClientRect() ?? {};
    onGo((clientX - left) * scale, (clientY - top) * scale);
  };
  return (
    <svg
      ref={box}
      class="minimap"
      aria-hidden="true"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH * scale} ${HEIGHT * scale}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) go(event);
      }}
    >
      {shapes.map(({ family, d }) => <path key={family} class={`phase-${family}`} d={d} />)}
      <rect class="minimap-view" x={view.x} y={view.y} width={view.width} height={view.height} />
    </svg>
  );
}

/** A path for each family, so that the map is a handful of elements. */
function shapesOf({ placed, width, height }: Picture): { readonly family: Family; readonly d: string }[] {
  const leaves = placed.filter(({ isOpen }) => !isOpen);
  const step = Math.max(1, Math.ceil(leaves.length / MOST_PARTS));
  const least = 2 * Math.max(width / WIDTH, height / HEIGHT);
  const paths = new Map<Family, string[]>();
  for (let at = 0; at < leaves.length; at += step) {
    const { part, x, y, width, height } = leaves[at]!;
    const list = paths.get(part.family) ?? [];
    list.push(`M${x} ${y}h${Math.max(width, least)}v${Math.max(height, least)}h${-Math.max(width, least)}z`);
    paths.set(part.family, list);
  }
  // What failed is drawn last, over the rest.
  return FAMILIES.toReversed().flatMap((family) => {
    const list = paths.get(family);
    return list ? [{ family, d: list.join("") }] : [];
  });
}

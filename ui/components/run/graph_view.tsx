/**
 * The view of a graph: elements if few parts are visible, else a canvas. During movement the canvas is only moved, and
 * drawn again afterwards, so that panning costs the same at any size.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { yieldToTasks } from "../../api/pauses.ts";
import {
  type Camera,
  centreOn,
  doOverlap,
  type Extent,
  fitPicture,
  inView,
  keepInPlace,
  labelSize,
  MIN_NAME_ZOOM,
  MIN_WHOLE_ZOOM,
  moveIntoView,
  removeMargin,
  revealPart,
  zoomAbout,
} from "../../model/graph/camera.ts";
import { curveThrough } from "../../model/graph/curve.ts";
import type { Picture, PlacedPart } from "../../model/graph/layout.ts";
import { SHADES, type Tints } from "../../model/graph/tint.ts";
import { PictureNavigation, type Step } from "../../model/graph/picture_navigation.ts";
import { FAMILIES } from "../../model/phase.ts";
import { spokenWordsOf } from "../../model/run/node_words.ts";
import * as words from "../../model/text/en/graph.ts";
import { trackPending } from "../../settled.ts";
import { drawGraph, type GraphColours } from "./graph_canvas.ts";
import { GraphNode } from "./graph_node.tsx";
import { Minimap } from "./minimap.tsx";
import { useExtent } from "./use_extent.ts";

interface Props {
  readonly picture: Picture;
  readonly now: number;
  /** The key of the selected part, which is scrolled into view. */
  readonly selected: string | undefined;
  readonly marked: ReadonlySet<string>;
  /** The colors of parts, if they do not show phases. */
  readonly tints?: Tints | undefined;
  readonly onSelect: (key: string | undefined) => void;
  readonly onToggle: (key: string) => void;
  /** Without tools, as in a widget. */
  readonly isBare?: boolean;
  /** The initial zoom; by default the whole graph. */
  readonly zoom?: number | undefined;
}

/** The maximum number of visible parts that are rendered as elements; more are drawn on a canvas. */
const MAX_ELEMENTS = 300;
const MAX_CURVES = 1_500;

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export function GraphView(
  { picture, now, selected, marked, tints, onSelect, onToggle, isBare = false, zoom }: Props,
) {
  const frame = useRef<HTMLDivElement>(null);
  const extent = useExtent(frame, UNMEASURED);
  const walk = useMemo(() => new PictureNavigation(picture), [picture]);
  const [cursor, setCursor] = useState<string | undefined>(undefined);
  const toggled = useRef<string | undefined>(undefined);
  const { camera, setCamera } = useCamera({ picture, walk, extent, selected, cursor, zoom, toggled });
  const toggle = (key: string) => {
    toggled.current = key;
    onToggle(key);
  };
  const drag = useDrag(setCamera);
  useWheel(frame, setCamera);
  const view = useMemo(() => inView(camera, extent), [camera, extent]);
  // Computed once per view, and not before the size is known, because large pictures have tens of thousands of parts.
  const seen = useMemo(
    () => extent.width === 0 ? [] : picture.placed.filter((placedPart) => doOverlap(view, placedPart)),
    [
      picture,
      view,
    ],
  );
  const asElements = seen.length <= MAX_ELEMENTS;
  const at = walk.partAt(cursor) ?? walk.partAt(selected);
  const zoomBy = (factor: number) =>
    setCamera((before) => zoomAbout(before, factor, { x: extent.width / 2, y: extent.height / 2 }));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) {
      const next = at ? walk.destinationOf(at, step) : walk.firstPart();
      if (next) {
        setCursor(next.part.key);
        setCamera((before) => moveIntoView(before, next, extent));
      }
    } else if (event.key === "Enter" && at) onSelect(at.part.key);
    else if (event.key === " " && at?.part.members.length) toggle(at.part.key);
    else if (event.key === "+" || event.key === "=") zoomBy(1.25);
    else if (event.key === "-") zoomBy(0.8);
    else if (event.key === "0") setCamera(() => fitPicture(picture, extent));
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    if (drag.moved()) return;
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.closest(".minimap")) return;
    const fold = target?.closest("[data-fold]")?.getAttribute("data-fold");
    if (fold !== null && fold !== undefined) return toggle(fold);
    const key = target?.closest("[data-key]")?.getAttribute("data-key") ?? keyAt(event);
    setCursor(key);
    onSelect(key);
  };
  const keyAt = ({ clientX, clientY }: MouseEvent): string | undefined => {
    const { left = 0, top = 0 } = frame.current?.getBoundingClientRect() ?? {};
    const point = {
      x: (clientX - left - camera.x) / camera.k,
      y: (clientY - top - camera.y) / camera.k,
      width: 0,
      height: 0,
    };
    return picture.placed.findLast((placedPart) =>
      !placedPart.isOpen && doOverlap(placedPart, { ...point, width: 1, height: 1 })
    )?.part.key;
  };
  return (
    <div class="graph">
      <div
        ref={frame}
        class="graph-frame"
        tabIndex={0}
        role="application"
        aria-label={words.graphLabel(picture.placed.length)}
        aria-activedescendant={asElements && at && seen.includes(at) ? idOf(at) : undefined}
        data-drawn={asElements ? "elements" : "canvas"}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDblClick={(event) => {
          const key = (event.target as Element).closest("[data-key]")?.getAttribute("data-key");
          if (key && walk.partAt(key)?.part.members.length) toggle(key);
        }}
        {...drag.handlers}
      >
        {asElements
          ? (
            <Elements
              seen={seen}
              picture={picture}
              camera={camera}
              extent={extent}
              now={now}
              cursor={at}
              selected={selected}
              marked={marked}
              tints={tints}
            />
          )
          : (
            <Drawing
              picture={picture}
              camera={camera}
              extent={extent}
              selected={at?.part.key ?? selected}
              marked={marked}
              tints={tints}
            />
          )}
        {!isBare && (
          <Minimap
            picture={picture}
            view={view}
            onGo={(x, y) => setCamera(({ k }) => centreOn({ x, y, width: 0, height: 0 }, extent, k))}
          />
        )}
        <span class="hidden" role="status">{at ? spokenWordsOf(at.part) : ""}</span>
      </div>
      {!isBare && (
        <div class="graph-tools" role="group" aria-label={words.toolsLabel}>
          <button type="button" class="button" aria-label={words.zoomInButton} onClick={() => zoomBy(1.25)}>+</button>
          <button type="button" class="button" aria-label={words.zoomOutButton} onClick={() => zoomBy(0.8)}>−</button>
          <span class="muted number zoom" title={words.zoomLabel}>{words.zoomText(Math.round(camera.k * 100))}</span>
          <button type="button" class="button" onClick={() => setCamera(() => fitPicture(picture, extent))}>
            {words.fitButton}
          </button>
          <button
            type="button"
            class="button"
            onClick={() =>
              setCamera(() => at ? centreOn(at, extent, 1) : { ...fitPicture(picture, extent), k: 1, x: 24, y: 24 })}
          >
            {words.fullSizeButton}
          </button>
        </div>
      )}
    </div>
  );
}

function idOf({ part }: PlacedPart): string {
  return `part-${encodeURIComponent(part.key)}`;
}

interface SceneProps {
  readonly picture: Picture;
  readonly camera: Camera;
  readonly extent: Extent;
  readonly selected: string | undefined;
  readonly marked: ReadonlySet<string>;
  readonly tints: Tints | undefined;
}

/** Returns the visible edges, up to the limit. */
function routesOf({ routes }: Picture, shown: ReadonlySet<PlacedPart>): Picture["routes"] {
  const found: Picture["routes"][number][] = [];
  for (const route of routes) {
    if (!shown.has(route.from) && !shown.has(route.to)) continue;
    if (found.push(route) === MAX_CURVES) break;
  }
  return found;
}

function Elements({ seen, picture, camera, extent, now, cursor, selected, marked, tints }: SceneProps & {
  readonly seen: readonly PlacedPart[];
  readonly now: number;
  readonly cursor: PlacedPart | undefined;
}) {
  const max = useGrowingCount(seen.length);
  const size = labelSize(camera.k);
  const shown = useMemo(() => max < seen.length ? seen.slice(0, max) : seen, [seen, max]);
  // All edges are filtered once per view rather than for each batch of elements.
  const inSight = useMemo(() => routesOf(picture, new Set(seen)), [picture, seen]);
  const routes = useMemo(() => {
    const there = new Set(shown);
    return shown === seen ? inSight : inSight.filter(({ from, to }) => there.has(from) || there.has(to));
  }, [inSight, shown]);
  return (
    <svg width={extent.width} height={extent.height}>
      <g transform={`translate(${camera.x} ${camera.y}) scale(${camera.k})`}>
        {shown.filter(({ isOpen }) => isOpen).map((placedPart) => element(placedPart))}
        {routes.map(({ from, to, kind, points }) => (
          <path
            key={`${from.part.key}>${to.part.key}`}
            class={`edge edge-${kind}${to.part.isPlanned ? " planned" : ""}${
              marked.has(from.part.key) && marked.has(to.part.key) ? " marked" : ""
            }`}
            d={curveThrough(points)}
          />
        ))}
        {shown.filter(({ isOpen }) => !isOpen).map((placedPart) => element(placedPart))}
      </g>
    </svg>
  );

  function element(placedPart: PlacedPart) {
    const { key } = placedPart.part;
    return (
      <GraphNode
        key={key}
        id={idOf(placedPart)}
        placed={placedPart}
        now={now}
        isSelected={key === selected}
        isCursor={placedPart === cursor}
        isMarked={marked.has(key)}
        tint={tints?.tintOf(placedPart.part)}
        size={size}
      />
    );
  }
}

/** The maximum number of elements that are created in the first task, with their edges. */
const ELEMENTS_AT_ONCE = 60;

/** Returns how many items are shown so far; the number grows with each task, so that the page stays responsive. */
function useGrowingCount(all: number): number {
  const [most, setMost] = useState(0);
  const isAll = all <= Math.max(most, ELEMENTS_AT_ONCE);
  useLayoutEffect(() => {
    if (isAll) return;
    let isShown = true;
    const waiting = trackPending();
    void yieldToTasks().then(() => {
      if (isShown) setMost(most + ELEMENTS_AT_ONCE);
      waiting[Symbol.dispose]();
    });
    return () => {
      isShown = false;
      waiting[Symbol.dispose]();
    };
  }, [most, isAll]);
  return isAll ? all : most;
}

/** The time after a movement until the canvas is drawn again. */
const REST_MILLIS = 90;

function Drawing({ picture, camera, extent, selected, marked, tints }: SceneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  const drawn = useRef<Camera | undefined>(undefined);
  const what = useRef<readonly unknown[]>([]);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !canvas.current || !probe.current || extent.width === 0) return;
    const { style } = canvas.current;
    const colours = coloursOf(probe.current);
    const draw = () => {
      const density = devicePixelRatio;
      canvas.current!.width = Math.round(extent.width * density);
      canvas.current!.height = Math.round(extent.height * density);
      drawGraph(context, extent, density, { picture, camera, colours, selected, marked, tints });
      drawn.current = camera;
      style.transform = "";
    };
    const scene = [picture, extent, selected, marked, tints];
    const isSame = scene.every((input, i) => input === what.current[i]);
    what.current = scene;
    const before = drawn.current;
    if (!before || !isSame) return draw();
    const ratio = camera.k / before.k;
    style.transform = `translate(${camera.x - before.x * ratio}px, ${camera.y - before.y * ratio}px) scale(${ratio})`;
    const timer = setTimeout(draw, REST_MILLIS);
    return () => clearTimeout(timer);
  }, [picture, camera, extent, selected, marked, tints]);
  return (
    <>
      <canvas ref={canvas} />
      <span ref={probe} class="hidden" aria-hidden="true">
        {FAMILIES.map((family) => <i key={family} class={`phase-${family}`} />)}
        {SHADES.map((shade) => <i key={shade} class={`probe-tint shade-${shade}`} />)}
        <i class="probe-text" />
        <i class="probe-border" />
        <i class="probe-ground" />
        <i class="probe-accent" />
      </span>
    </>
  );
}

/** Reads the colors of the theme from elements that have them. */
function coloursOf(probe: HTMLElement): GraphColours {
  const names = [...FAMILIES, ...SHADES, "text", "border", "ground", "accent"];
  const colours = names.map((name, i) => [name, getComputedStyle(probe.children[i]!).color]);
  return Object.fromEntries(colours) as GraphColours;
}

const UNMEASURED: Extent = { width: 0, height: 0 };

/**
 * The camera. It shows the whole graph, if that is readable, until the user moves it: also after parts were opened or
 * folded, and when the panel of a node opens. After that the selected or just folded part stays in place.
 */
function useCamera({ picture, walk, extent, selected, cursor, zoom, toggled }: {
  readonly picture: Picture;
  readonly walk: PictureNavigation;
  readonly extent: Extent;
  readonly selected: string | undefined;
  /** The part that the user clicked, or moved to with arrow keys. */
  readonly cursor: string | undefined;
  readonly zoom: number | undefined;
  /** The part that the user opened or folded last, until the new picture is shown. */
  readonly toggled: { current: string | undefined };
}) {
  const [camera, setCamera] = useState<Camera>({ x: 0, y: 0, k: 1 });
  const before = useRef<{ walk: PictureNavigation; picture: Picture; extent: Extent } | undefined>(undefined);
  const shown = useRef<string | undefined>(undefined);
  const first = useRef<Camera | undefined>(undefined);
  useLayoutEffect(() => {
    if (extent.width === 0) return;
    const last = before.current;
    before.current = { walk, picture, extent };
    const target = walk.partAt(selected);
    const isReadable = fitPicture(picture, extent).k >= MIN_WHOLE_ZOOM;
    const isResized = last !== undefined &&
      (last.picture.width !== picture.width || last.picture.height !== picture.height);
    // In a large graph, the part that the camera shows stays in place.
    const isFittedAgain = camera === first.current &&
      (last?.extent !== extent && (!target || isReadable) || isResized && isReadable);
    const changed = last?.picture === picture ? undefined : toggled.current;
    const [folded, unfolded] = [last?.walk.partAt(changed), walk.partAt(changed)];
    const isToggled = folded && unfolded && folded.isOpen !== unfolded.isOpen;
    if (isToggled) toggled.current = undefined;
    if (!last || isFittedAgain) {
      // A part that does not exist yet is scrolled to when it appears.
      shown.current = target && selected;
      first.current = zoom === undefined ? firstCamera(picture, target, extent) : { x: START, y: START, k: zoom };
      return setCamera(first.current);
    }
    if (selected !== shown.current && target) {
      shown.current = selected;
      // A part that was selected elsewhere, for example by a search, is shown with all its details.
      const isHere = selected === cursor && camera.k >= MIN_NAME_ZOOM;
      const near = isHere || camera.k >= 0.5 ? moveIntoView(camera, target, extent) : centreOn(target, extent, 1);
      return setCamera(near);
    }
    // When the node panel opens, the selected part stays visible.
    if (last.extent !== extent && target) setCamera((before) => moveIntoView(before, target, extent));
    if (last.picture === picture) return;
    if (isToggled) return setCamera((before) => revealPart(keepInPlace(before, folded, unfolded), unfolded, extent));
    const anchor = walk.partAt(selected) ?? picture.placed.find(({ part }) => last.walk.partAt(part.key));
    const former = anchor && last.walk.partAt(anchor.part.key);
    if (former && (former.x !== anchor.x || former.y !== anchor.y)) {
      setCamera((before) => keepInPlace(before, former, anchor));
    }
  }, [picture, extent, selected]);
  return { camera, setCamera };
}

/** The margin before a graph that starts at its first parts. */
const START = 16;

/** The camera at first: the whole graph if it is readable, else its selected or most urgent part. `Fit` shows all. */
function firstCamera(picture: Picture, target: PlacedPart | undefined, extent: Extent): Camera {
  const whole = fitPicture(picture, extent);
  if (whole.k >= MIN_WHOLE_ZOOM) return target ? moveIntoView(whole, target, extent) : whole;
  const part = target ?? mostUrgent(picture.placed);
  return part ? removeMargin(centreOn(part, extent, 0.5), picture, extent) : whole;
}

/** Returns the first of the most urgent leaves, in one pass. */
function mostUrgent(placed: readonly PlacedPart[]): PlacedPart | undefined {
  let found: PlacedPart | undefined;
  let rank: number = FAMILIES.length;
  for (const candidate of placed) {
    if (candidate.isOpen) continue;
    const own = FAMILIES.indexOf(candidate.part.family);
    if (own >= rank) continue;
    [found, rank] = [candidate, own];
    if (rank === 0) break;
  }
  return found;
}

type SetCamera = (next: (camera: Camera) => Camera) => void;

/** Dragging moves the picture; two fingers zoom. */
function useDrag(setCamera: SetCamera) {
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const way = useRef(0);
  const onPointerDown = (event: PointerEvent) => {
    // The minimap handles its own pointer events.
    if (event.button !== 0 || (event.target as Element).closest(".minimap")) return;
    way.current = 0;
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent) => {
    const last = pointers.current.get(event.pointerId);
    if (!last) return;
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    way.current += Math.abs(dx) + Math.abs(dy);
    if (way.current < 4) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const others = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [other] = others;
    if (!other) return setCamera((camera) => ({ ...camera, x: camera.x + dx, y: camera.y + dy }));
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const factor = Math.hypot(event.clientX - other.x, event.clientY - other.y) /
      Math.max(1, Math.hypot(last.x - other.x, last.y - other.y));
    setCamera((camera) => zoomAbout(camera, factor, { x: other.x - box.left, y: other.y - box.top }));
  };
  const onPointerUp = ({ pointerId }: PointerEvent) => pointers.current.delete(pointerId);
  return {
    moved: () => way.current >= 4,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  };
}

/** The wheel moves the picture; with Ctrl, or a pinch on a trackpad, it zooms. */
function useWheel(frame: { readonly current: HTMLElement | null }, setCamera: SetCamera): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault(); // The page itself must not zoom or scroll.
      const { left, top } = element.getBoundingClientRect();
      const point = { x: event.clientX - left, y: event.clientY - top };
      if (event.ctrlKey || event.metaKey) {
        setCamera((camera) => zoomAbout(camera, Math.exp(-event.deltaY / 200), point));
      } else {
        const [dx, dy] = event.shiftKey && !event.deltaX ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
        setCamera((camera) => ({ ...camera, x: camera.x - dx, y: camera.y - dy }));
      }
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
}

/** The graph of a changing run: built synchronously if it is small, else in a worker. */
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { type GraphThread, startGraphThread } from "./graph_thread.ts";
import { failedPartsOf, isLongStack, openParts } from "../../model/graph/fold.ts";
import type { LayoutChoice } from "../../model/graph/graph_talk.ts";
import { Layout, type Picture } from "../../model/graph/layout.ts";
import { makePart } from "../../model/graph/make_part.ts";
import { type Part, pathTo } from "../../model/graph/part.ts";
import { OUTERMOST_KEY, partsOf } from "../../model/graph/parts.ts";
import { type GraphShape, isUnchanged } from "../../model/graph/graph_shape.ts";
import { trackPending } from "../../settled.ts";
import { nodeListOf } from "../../api/run_nodes.ts";
import { loadPart } from "../../api/refusal.ts";
import { dropPreparedThread, prepareThread } from "../../api/thread_url.ts";

/** The largest graph, in nodes, that is built, laid out and rendered in one task of the page. */
export const MAX_NODES_PER_TASK = 300;

const NOTHING = makePart({ key: OUTERMOST_KEY, label: "", kind: "box" });

/** The graph, and the worker that lays it out. */
export interface Graph {
  readonly whole: Part;
  /** The worker that built the graph; its pictures arrive asynchronously. */
  readonly thread: GraphThread | undefined;
}

/** Starts the worker while a large run is still being received. */
export const prepareGraph = () => prepareThread("graph");

/** Returns the graph of a run; for a large one empty at first, then that of the latest state that was built. */
export function useGraph(run: Workflow): Graph {
  const count = useMemo(() => nodeCountOf(run), [run]);
  const isLarge = count > MAX_NODES_PER_TASK;
  const small = useMemo(() => isLarge ? undefined : partsOf(run), [run, isLarge]);
  const [made, setMade] = useState<Graph>({ whole: NOTHING, thread: undefined });
  const newest = useRef(run);
  newest.current = run;
  const wake = useRef(() => {});
  // A large response may contain few nodes.
  useEffect(() => {
    if (!isLarge) dropPreparedThread("graph");
  }, [isLarge]);
  useLayoutEffect(() => {
    if (!isLarge) return;
    const thread = startGraphThread();
    let isShown = true;
    const waiting = trackPending();
    void (async () => {
      // States are built one after the other; only the latest pending one is built.
      while (isShown) {
        const { current } = newest;
        const whole = await thread.buildGraph(current);
        if (!isShown) return;
        setMade({ whole, thread });
        waiting[Symbol.dispose]();
        if (newest.current === current) await new Promise<void>((resolve) => wake.current = resolve);
      }
    })();
    return () => {
      isShown = false;
      thread[Symbol.dispose]();
      waiting[Symbol.dispose]();
    };
  }, [isLarge, run.metadata.uid]);
  useEffect(() => wake.current(), [run]);
  return small ? { whole: small, thread: undefined } : made;
}

/** Returns the same object while the choices are equal, although each address change creates a new one. */
export function useSameShape(shape: GraphShape): GraphShape {
  return useMemo(() => shape, [JSON.stringify(shape)]);
}

/** Returns the filtered graph; for a large one the latest result. */
export function useShape(graph: Graph, shape: GraphShape): Graph {
  const { whole, thread } = graph;
  const wanted = useSameShape(shape);
  const [made, setMade] = useState<Graph>({ whole: NOTHING, thread: undefined });
  const shapeIt = shaper.value;
  const small = useMemo(
    () => thread || isUnchanged(wanted) || !shapeIt ? undefined : { whole: shapeIt(whole, wanted), thread: undefined },
    [whole, wanted, thread, shapeIt],
  );
  useLayoutEffect(() => {
    if (isUnchanged(wanted)) return;
    if (!thread) return void loadShaper();
    let isShown = true;
    const waiting = trackPending();
    void (async () => {
      const shaped = await thread.filterGraph(whole, wanted);
      if (isShown) setMade({ whole: shaped, thread });
      waiting[Symbol.dispose]();
    })();
    return () => {
      isShown = false;
      waiting[Symbol.dispose]();
    };
  }, [whole, wanted, thread]);
  // The previous graph stays until the first filtered one is ready.
  const shown = useRef(made);
  return shown.current = small ?? (isUnchanged(wanted) ? graph : made.whole === NOTHING ? shown.current : made);
}

type ShapeGraph = typeof import("../../model/graph/shape.ts").shapeGraph;

/** The filter for small graphs, loaded on demand. */
const shaper = signal<ShapeGraph | undefined>(undefined);

async function loadShaper(): Promise<void> {
  using _waiting = trackPending();
  const { shapeGraph } = await loadPart(() => import("../../model/graph/shape.ts"));
  shaper.value ??= shapeGraph;
}

/** The number of nodes of a run. */
export function nodeCountOf(run: Workflow): number {
  return nodeListOf(run).length;
}

/** A picture and its graph. */
export interface GraphPicture {
  readonly whole: Part;
  readonly picture: Picture | undefined;
}

/** Returns the layout of a graph with the user's choices; for a large one the latest result. */
export function useLayout(
  { whole, thread }: Graph,
  fold: LayoutChoice["fold"],
  isFailedOnly: boolean,
  selected: string | undefined,
): GraphPicture {
  const layout = useRef(new Layout());
  const [made, setMade] = useState<GraphPicture>({ whole, picture: undefined });
  const shown = useMemo(() => isFailedOnly ? failedPartsOf(whole) : whole, [whole, isFailedOnly]);
  // All groups around the selected part are open, up to the first one that opens as a list.
  const way = useMemo(() => {
    const parts = selected === undefined ? [] : pathTo(shown, selected).slice(0, -1);
    const end = parts.findIndex((part) => isLongStack(part) && !fold.get(part.key));
    return parts.slice(0, end < 0 ? undefined : end).map(({ key }) => key);
  }, [shown, fold, selected]);
  const wayText = way.join("\n");
  const small = useMemo(() => {
    if (thread || whole === NOTHING) return undefined;
    const open = openParts(shown, fold);
    for (const key of way) open.add(key);
    return { whole: shown, picture: layout.current.layOut(shown, open) };
  }, [shown, fold, wayText, thread]);
  useLayoutEffect(() => {
    if (!thread) return;
    let isShown = true;
    const waiting = trackPending();
    void (async () => {
      const picture = await thread.layOut(whole, { fold, onlyFailed: isFailedOnly, way });
      if (isShown) setMade({ whole: shown, picture });
      waiting[Symbol.dispose]();
    })();
    return () => {
      isShown = false;
      waiting[Symbol.dispose]();
    };
  }, [whole, shown, fold, wayText, thread]);
  return small ?? made;
}

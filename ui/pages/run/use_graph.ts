/** The graph of a run as it changes: made at once where it is small, beside the page where it is large. */
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { type GraphThread, startGraphThread } from "./graph_thread.ts";
import { onlyFailed, openParts } from "../../model/graph/fold.ts";
import type { LayChoice } from "../../model/graph/graph_talk.ts";
import { Layout, type Picture } from "../../model/graph/layout.ts";
import { makePart } from "../../model/graph/make_part.ts";
import { type Part, wayTo } from "../../model/graph/part.ts";
import { partsOf, WHOLE } from "../../model/graph/parts.ts";
import { type GraphShape, isPlain } from "../../model/graph/graph_shape.ts";
import { unsettled } from "../../settled.ts";
import { nodeListOf } from "../../api/run_nodes.ts";
import { loadPart } from "../../api/refusal.ts";
import { dropPreparedThread, prepareThread } from "../../api/thread_url.ts";

/** The most nodes of a graph that is made at once: its parts, its layout and its elements are one task of the page. */
export const MOST_AT_ONCE = 300;

const NOTHING = makePart({ key: WHOLE, label: "", kind: "box" });

/** The graph, and the way to lay it out. */
export interface Graph {
  readonly whole: Part;
  /** The thread that makes the graph: its pictures come later. */
  readonly thread: GraphThread | undefined;
}

/** Starts the thread while a large run still comes. */
export const prepareGraph = () => prepareThread("graph");

/** The graph of a run; nothing at first where it is large, and then the one of the last state that was made. */
export function useGraph(run: Workflow): Graph {
  const count = useMemo(() => countOf(run), [run]);
  const isLarge = count > MOST_AT_ONCE;
  const small = useMemo(() => isLarge ? undefined : partsOf(run), [run, isLarge]);
  const [made, setMade] = useState<Graph>({ whole: NOTHING, thread: undefined });
  const newest = useRef(run);
  newest.current = run;
  const wake = useRef(() => {});
  // An answer may be large by other things than its nodes.
  useEffect(() => {
    if (!isLarge) dropPreparedThread("graph");
  }, [isLarge]);
  useLayoutEffect(() => {
    if (!isLarge) return;
    const thread = startGraphThread();
    let isShown = true;
    const waiting = unsettled();
    void (async () => {
      // One state is made after the other; of those that came meanwhile only the newest.
      while (isShown) {
        const { current } = newest;
        const whole = await thread.make(current);
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

/** A choice as long as it says the same: the view makes it anew with each change of the address. */
export function useSameShape(shape: GraphShape): GraphShape {
  return useMemo(() => shape, [JSON.stringify(shape)]);
}

/** A graph as it is chosen; of a large one the last that was made. */
export function useShape(graph: Graph, shape: GraphShape): Graph {
  const { whole, thread } = graph;
  const wanted = useSameShape(shape);
  const [made, setMade] = useState<Graph>({ whole: NOTHING, thread: undefined });
  const shapeIt = shaper.value;
  const small = useMemo(
    () => thread || isPlain(wanted) || !shapeIt ? undefined : { whole: shapeIt(whole, wanted), thread: undefined },
    [whole, wanted, thread, shapeIt],
  );
  useLayoutEffect(() => {
    if (isPlain(wanted)) return;
    if (!thread) return void loadShaper();
    let isShown = true;
    const waiting = unsettled();
    void (async () => {
      const shaped = await thread.shape(whole, wanted);
      if (isShown) setMade({ whole: shaped, thread });
      waiting[Symbol.dispose]();
    })();
    return () => {
      isShown = false;
      waiting[Symbol.dispose]();
    };
  }, [whole, wanted, thread]);
  // What was shown stays until the first graph of a choice is made.
  const shown = useRef(made);
  return shown.current = small ?? (isPlain(wanted) ? graph : made.whole === NOTHING ? shown.current : made);
}

type Shaper = typeof import("../../model/graph/shape.ts").shapeGraph;

/** Shapes small graphs; loaded when the first is wanted. */
const shaper = signal<Shaper | undefined>(undefined);

async function loadShaper(): Promise<void> {
  using _waiting = unsettled();
  const { shapeGraph } = await loadPart(() => import("../../model/graph/shape.ts"));
  shaper.value ??= shapeGraph;
}

/** The number of a run's nodes. */
export function countOf(run: Workflow): number {
  return nodeListOf(run).length;
}

/** A picture, and the graph that it is of. */
export interface Shown {
  readonly whole: Part;
  readonly picture: Picture | undefined;
}

/** The picture of a graph under the choices of a person; of a large one the last that was made. */
export function useLayout(
  { whole, thread }: Graph,
  fold: LayChoice["fold"],
  isFailedOnly: boolean,
  selected: string | undefined,
): Shown {
  const layout = useRef(new Layout());
  const [made, setMade] = useState<Shown>({ whole, picture: undefined });
  const shown = useMemo(() => isFailedOnly ? onlyFailed(whole) : whole, [whole, isFailedOnly]);
  // The chosen part is to be seen, whatever boxes it lies in.
  const way = useMemo(() => selected === undefined ? [] : wayTo(shown, selected).slice(0, -1).map(({ key }) => key), [
    shown,
    selected,
  ]);
  const wayText = way.join("\n");
  const small = useMemo(() => {
    if (thread || whole === NOTHING) return undefined;
    const open = openParts(shown, fold);
    for (const key of way) open.add(key);
    return { whole: shown, picture: layout.current.lay(shown, open) };
  }, [shown, fold, wayText, thread]);
  useLayoutEffect(() => {
    if (!thread) return;
    let isShown = true;
    const waiting = unsettled();
    void (async () => {
      const picture = await thread.lay(whole, { fold, onlyFailed: isFailedOnly, way });
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

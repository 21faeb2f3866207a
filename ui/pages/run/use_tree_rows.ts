/** The rows of a run's tree: computed synchronously if there are few, with pauses if there are many. */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { runWithPauses } from "../../api/pauses.ts";
import { runToEnd } from "../../model/run_to_end.ts";
import { type NodesSpan, nodesSpanInPieces } from "../../model/timeline/timeline.ts";
import { type TreeGridRow, treeRows } from "../../model/tree/tree_rows.ts";
import { trackPending } from "../../settled.ts";
import { MAX_NODES_PER_TASK, nodeCountOf } from "./use_graph.ts";

/** The rows of a run, and the total time of its nodes. */
export interface RunTree {
  readonly rows: readonly TreeGridRow[];
  readonly span: NodesSpan | undefined;
}

/** Returns the rows of the latest processed state of a run; undefined at first. */
export function useTreeRows(run: Workflow): RunTree | undefined {
  const isLarge = useMemo(() => nodeCountOf(run) > MAX_NODES_PER_TASK, [run]);
  const small = useMemo(() => isLarge ? undefined : runToEnd(treeOf(run)), [run, isLarge]);
  const [made, setMade] = useState<RunTree | undefined>(undefined);
  const newest = useRef(run);
  newest.current = run;
  const wake = useRef(() => {});
  useLayoutEffect(() => {
    if (!isLarge) return;
    let isShown = true;
    const waiting = trackPending();
    void (async () => {
      // States are processed one after the other; only the latest pending one is.
      while (isShown) {
        const { current } = newest;
        const tree = await runWithPauses(treeOf(current));
        if (!isShown) return;
        setMade(tree);
        waiting[Symbol.dispose]();
        if (newest.current === current) await new Promise<void>((resolve) => wake.current = resolve);
      }
    })();
    return () => {
      isShown = false;
      wake.current();
      waiting[Symbol.dispose]();
    };
  }, [isLarge, run.metadata.uid]);
  useLayoutEffect(() => wake.current(), [run]);
  return small ?? made;
}

function* treeOf(run: Workflow): Generator<undefined, RunTree> {
  const rows = yield* treeRows(run);
  return { rows, span: yield* nodesSpanInPieces(rows.map(({ node }) => node)) };
}

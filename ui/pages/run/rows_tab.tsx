/** The nodes of a run as rows: a tree, or bars over time. */
import { useMemo, useState } from "preact/hooks";
import { useSameShape } from "./use_graph.ts";
import { useTreeRows } from "./use_tree_rows.ts";
import { NodeRows } from "../../components/run/node_rows.tsx";
import { PartsMenu, ShapeChips } from "../../components/run/graph_menu.tsx";
import { isFiltered } from "../../model/graph/graph_shape.ts";
import { type Stage, STAGES } from "../../model/timeline/stages.ts";
import { readZoom, spanAt, spanOf, zoomText, zoomWindow } from "../../model/timeline/timeline.ts";
import { emptyViewText } from "../../model/run/run_view.ts";
import { type FanOut, foldedRowIds, groupLoopRows } from "../../model/tree/fan_outs.ts";
import { failedRows, filterRows } from "../../model/tree/shaped_rows.ts";
import { type TreeGridRow, visibleRows } from "../../model/tree/tree_rows.ts";
import type { RunScene } from "./run_scene.ts";
import { useStages } from "./use_stages.ts";
import * as words from "../../model/text/en/rows_tab.ts";

export { StackList } from "./stack_list.tsx";

const NOTHING: readonly TreeGridRow[] = [];
const NO_FAN_OUTS: ReadonlyMap<string, FanOut> = new Map();

/** The legend of the stages, in the terms that Kubernetes uses for them. */
const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  wait: words.schedulingStage,
  pull: words.imagePullStage,
  stage: words.startingStage,
  run: words.runningStage,
  save: words.savingStage,
  pause: words.backoffStage,
};

export function RowsTab({ scene, overTime }: { scene: RunScene; overTime: boolean }) {
  const { run, view, node, now, marked, change } = scene;
  const made = useTreeRows(run);
  const all = made?.rows ?? NOTHING;
  const { whole: graph } = scene.graph;
  const shape = useSameShape(view.shape);
  const meant = useMemo(() => filterRows(all, graph, shape), [all, graph, shape]);
  const kept = useMemo(() => view.onlyFailed ? failedRows(meant) : meant, [meant, view.onlyFailed]);
  const fanned = useMemo(() => overTime ? groupLoopRows(kept) : { rows: kept, fanOuts: NO_FAN_OUTS }, [kept, overTime]);
  const folded = useMemo(() => foldedRowIds(fanned, view.fold, node?.id), [fanned, view.fold, node?.id]);
  const rows = useMemo(() => visibleRows(fanned.rows, folded), [fanned, folded]);
  // The row of a group is selected here alone, because the run has no such node.
  const [group, setGroup] = useState<string | undefined>(undefined);
  const onFold = (id: string) => {
    const row = fanned.rows.find((candidate) => candidate.node.id === id);
    if (row) change({ fold: new Map([...view.fold, [row.node.name, folded.has(id)]]) });
  };
  const stages = useStages(scene, overTime);
  const span = overTime ? made?.span : undefined;
  const whole = span && spanAt(span, now);
  if (!made) return <p class="note">{words.reading}</p>;
  const menu = (
    <>
      {isFiltered(shape) && <ShapeChips shape={shape} hrefOf={(shape) => scene.hrefOf({ shape })} />}
      <span class="gap" />
      <PartsMenu whole={graph} shape={shape} filtersRows onShape={(shape) => change({ shape })} />
    </>
  );
  if (rows.length === 0 || overTime && !whole) {
    return (
      <div class="rows-tab">
        <div class="tools">{menu}</div>
        <p class="note empty">{emptyViewText(view, words.nothingStartedYet)}</p>
      </div>
    );
  }
  const window = whole && (readZoom(view.zoom, whole.from) ?? whole);
  const zoomBy = (factor: number) => {
    if (!whole || !window) return;
    const next = zoomWindow(window, whole, factor, 0.5);
    change({ zoom: next.to - next.from >= whole.to - whole.from ? undefined : zoomText(next, whole.from) }, {
      replace: true,
    });
  };
  const own = node && spanOf(node, now);
  return (
    <div class="rows-tab">
      <div class="tools">
        {whole && (
          <>
            <button type="button" class="button" aria-label={words.zoomInButton} onClick={() => zoomBy(0.5)}>+</button>
            <button type="button" class="button" aria-label={words.zoomOutButton} onClick={() => zoomBy(2)}>−</button>
            <button
              type="button"
              class="button"
              disabled={view.zoom === undefined}
              onClick={() => change({ zoom: undefined })}
            >
              {words.allButton}
            </button>
            <button
              type="button"
              class="button"
              disabled={!own || own.to === own.from}
              onClick={() => own && change({ zoom: zoomText(own, whole.from) })}
            >
              {words.zoomToNodeButton}
            </button>
            {stages.areKnown && (
              <ul class="stages" aria-label={words.stagesLabel}>
                {STAGES.map((stage) => (
                  <li key={stage}>
                    <span class={`stage-key stage-${stage}`} aria-hidden="true" />
                    {STAGE_NAMES[stage]}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
        {menu}
      </div>
      <NodeRows
        rows={rows}
        folded={folded}
        fanOuts={fanned.fanOuts}
        selected={group ?? node?.id}
        now={now}
        window={window}
        startedAt={whole?.from ?? 0}
        marked={marked}
        stages={stages.of}
        onSelect={(id) => {
          const isGroup = fanned.fanOuts.has(id);
          setGroup(isGroup ? id : undefined);
          if (!isGroup) change({ nodeId: id }, { replace: node !== undefined });
        }}
        onFold={onFold}
      />
    </div>
  );
}

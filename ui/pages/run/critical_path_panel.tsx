/** The critical path of a run as a flame graph and as a table. */
import { useMemo, useState } from "preact/hooks";
import { nodesOf } from "@tiphys/model/status";
import { FlameView } from "../../components/run/flame_view.tsx";
import { durationText } from "../../model/duration.ts";
import type { Segment } from "../../model/graph/critical_path.ts";
import { type Gains, gainsIn } from "../../model/graph/what_if.ts";
import { runTimesOf } from "../../model/run/run_times.ts";
import { causesText, type FlameLeaf, flameOf, leavesOf, shareText, windowOf } from "../../model/timeline/flame.ts";
import { nodesSpan, zoomText } from "../../model/timeline/timeline.ts";
import type { RunScene } from "./run_scene.ts";
import { useStages } from "./use_stages.ts";
import * as words from "../../model/text/en/critical_path.ts";

interface Props {
  readonly scene: RunScene;
  readonly path: readonly Segment[];
  readonly onSelect: (key: string) => void;
}

/** The maximum number of rows of the table. */
const MAX_ITEMS = 500;
/** The limit of steps to compute gains of rows: if all would exceed it, only the longest rows have one. */
const MAX_STEPS = 500_000;

export function CriticalPathPanel({ scene, path, onSelect }: Props) {
  const { run, graph: { whole }, view, change, node } = scene;
  const [isTable, setTable] = useState(false);
  const stages = useStages(scene, true);
  const flame = useMemo(() => flameOf(whole, path, stages.of), [whole, path, stages.of]);
  const gains = useGains(scene);
  const leaves = useMemo(() => flame ? leavesOf(flame) : [], [flame]);
  const rowGains = useMemo(() => isTable ? gainsOf(leaves.slice(0, MAX_ITEMS), gains()) : undefined, [
    isTable,
    leaves,
    gains,
  ]);
  if (!flame) return <p class="muted">{words.nothingRanYet}</p>;
  // The timeline has the same origin, so that a zoom means the same time in both.
  const origin = nodesSpan(nodesOf(run))?.from ?? flame.from;
  const sum = flame.to - flame.from;
  const isCut = rowGains !== undefined && rowGains.size > 0 &&
    leaves.some(({ span }) => span.kind === "part" && !rowGains.has(span.key));
  const chosenGain = node && gains()?.gainOf(node.name);
  return (
    <section class="critical-panel" aria-label={words.label}>
      <FlameView
        flame={flame}
        window={windowOf(flame, view.zoom, origin)}
        onWindow={(window) => change({ zoom: window && zoomText(window, origin) }, { replace: true })}
        onSelect={onSelect}
        gainOf={(key) => gains()?.gainOf(key)}
      />
      {node && chosenGain !== undefined && (
        <p class="flame-about" role="status">
          <b>{node.displayName ?? node.name}</b>{" "}
          {chosenGain > 0 ? words.gainOfSelected(durationText(chosenGain)) : words.noGainOfSelected}
        </p>
      )}
      <details class="critical-table" onToggle={(event) => setTable(event.currentTarget.open)}>
        <summary>{words.asTable}</summary>
        <div class="scroll-x">
          <table>
            <thead>
              <tr>
                <th>{words.nodeField}</th>
                <th>{words.enclosingGroupsField}</th>
                <th class="end-cell">{words.afterField}</th>
                <th class="end-cell">{words.timeField}</th>
                <th class="end-cell">{words.shareField}</th>
                <th class="end-cell" title={words.gainHeadTitle}>{words.gainHead}</th>
                <th>{words.causesField}</th>
              </tr>
            </thead>
            <tbody>
              {leaves.slice(0, MAX_ITEMS).map(({ span, within }, i) => (
                <tr key={i}>
                  <td class="name">
                    {span.kind === "between"
                      ? <span class="muted">{span.label}</span>
                      : <button type="button" class="link" onClick={() => onSelect(span.key)}>{span.label}</button>}
                  </td>
                  <td class="muted">{within.join(" / ")}</td>
                  <td class="number end-cell">{durationText(span.from - flame.from)}</td>
                  <td class="number end-cell">{durationText(span.to - span.from)}</td>
                  <td class="number end-cell">{shareText(span.to - span.from, sum)}</td>
                  <td class="number end-cell">{gainCell(rowGains?.get(span.key))}</td>
                  <td class="muted">
                    {causesText(span)}
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th colSpan={3}>
                  {leaves.length > MAX_ITEMS ? words.totalRowWithMore(leaves.length - MAX_ITEMS) : words.totalRow}
                </th>
                <td class="number end-cell">{durationText(sum)}</td>
                <td class="number end-cell">100 %</td>
                <td />
                <td class="muted">{isCut && words.gainOfLongest(rowGains.size)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      </details>
    </section>
  );
}

/** Above this number of parts, gains of a running workflow are updated less often than every second. */
const MAX_BY_SECOND = 2_000;
/** Above this number of parts, gains are not computed, because that would block the page. */
const MAX_PREPARED = 20_000;

/** Returns a function that computes the gains of the run on first use. */
function useGains({ run, graph: { whole }, now }: RunScene): () => Gains | undefined {
  const step = whole.size > MAX_BY_SECOND ? 10_000 : 1_000;
  const time = Math.floor(now / step) * step;
  return useMemo(() => {
    let made: { readonly gains: Gains | undefined } | undefined;
    const prepared = () => {
      const times = whole.size > MAX_PREPARED ? undefined : runTimesOf(run, time);
      return { gains: times && gainsIn(whole, times) };
    };
    return () => (made ??= prepared()).gains;
  }, [run, whole, time]);
}

/** Returns the gains of the longest rows, up to a limit that takes a few milliseconds. */
function gainsOf(rows: readonly FlameLeaf[], gains: Gains | undefined): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (!gains) return found;
  const lengthOf = ({ span }: FlameLeaf) => span.to - span.from;
  const parts = rows.filter(({ span }) => span.kind === "part").sort((a, b) => lengthOf(b) - lengthOf(a));
  for (const { span } of parts.slice(0, Math.max(1, Math.floor(MAX_STEPS / gains.steps)))) {
    const gain = gains.gainOf(span.key);
    if (gain !== undefined) found.set(span.key, gain);
  }
  return found;
}

function gainCell(gain: number | undefined): string {
  return gain === undefined ? "" : gain > 0 ? words.gainCell(durationText(gain)) : words.noGainCell;
}

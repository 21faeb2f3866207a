/** The critical path of a run: its flame, and the same as a table. */
import { useMemo } from "preact/hooks";
import { nodesOf } from "../../../lib/status/mod.ts";
import { FlameView } from "../../components/run/flame_view.tsx";
import { durationText } from "../../model/duration.ts";
import type { Segment } from "../../model/graph/critical_path.ts";
import { causesText, flameOf, leavesOf, shareText, windowOf } from "../../model/timeline/flame.ts";
import { nodesSpan, zoomText } from "../../model/timeline/timeline.ts";
import type { RunScene } from "./run_scene.ts";
import { useStages } from "./use_stages.ts";
import * as words from "../../model/text/en/critical_path.ts";

interface Props {
  readonly scene: RunScene;
  readonly path: readonly Segment[];
  readonly onSelect: (key: string) => void;
}

/** The most rows of the table. */
const MOST = 500;

/** The panel. */
export function CriticalPathPanel({ scene, path, onSelect }: Props) {
  const { run, graph: { whole }, view, change } = scene;
  const stages = useStages(scene, true);
  const flame = useMemo(() => flameOf(whole, path, stages.of), [whole, path, stages.of]);
  if (!flame) return <p class="muted">{words.nothingYet}</p>;
  // The timeline counts from there, too: one zoom is the same time in both.
  const origin = nodesSpan(nodesOf(run))?.from ?? flame.from;
  const sum = flame.to - flame.from;
  const leaves = leavesOf(flame);
  return (
    <section class="critical-panel" aria-label={words.label}>
      <FlameView
        flame={flame}
        window={windowOf(flame, view.zoom, origin)}
        onWindow={(window) => change({ zoom: window && zoomText(window, origin) }, { replace: true })}
        onSelect={onSelect}
      />
      <details class="critical-table">
        <summary>{words.asTable}</summary>
        <div class="scroll-x">
          <table>
            <thead>
              <tr>
                <th>{words.nodeField}</th>
                <th>{words.withinField}</th>
                <th class="end-cell">{words.afterField}</th>
                <th class="end-cell">{words.timeField}</th>
                <th class="end-cell">{words.shareField}</th>
                <th>{words.causesField}</th>
              </tr>
            </thead>
            <tbody>
              {leaves.slice(0, MOST).map(({ span, within }, i) => (
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
                  <td class="muted">
                    {causesText(span)}
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th colSpan={3}>
                  {leaves.length > MOST ? words.inAllWith(leaves.length - MOST) : words.inAll}
                </th>
                <td class="number end-cell">{durationText(sum)}</td>
                <td class="number end-cell">100 %</td>
                <td />
              </tr>
            </tfoot>
          </table>
        </div>
      </details>
    </section>
  );
}

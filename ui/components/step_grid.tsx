/** The grid of steps over runs: a row for each step, a column for each run, the newest on the right. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { durationText, elapsedMillis } from "../model/duration.ts";
import { lookOfRun } from "../model/phase.ts";
import { keyOf } from "../model/run_list.ts";
import { type StepCell, type StepGrid, type StepRow, stepWords } from "../model/step_grid.ts";
import * as words from "../model/text/en/step_grid.ts";
import { PhaseGlyph } from "./glyph.tsx";

interface Props {
  readonly grid: StepGrid;
  /** The steps in display order. */
  readonly steps: readonly StepRow[];
  readonly now: number;
  /** Returns the address of a run, or of a node. */
  readonly hrefOf: (run: Workflow, nodeId?: string) => string;
}

const MOVES: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The grid. It is one tab stop; arrows move between its links. */
export function StepGridView({ grid: { runs }, steps, now, hrefOf }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState("");
  // The newest runs are visible first; older ones are reached by scrolling.
  useLayoutEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, [runs.length]);
  const longest = Math.max(1, ...runs.map((run) => timeOf(run, now)));
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    const place = (event.target as Element).closest("[data-place]")?.getAttribute("data-place");
    if (!move || !place) return;
    const [row, column] = place.split("/").map(Number) as [number, number];
    // Missing cells are skipped.
    for (let [y, x] = [row + move[0], column + move[1]]; y >= 0 && y <= steps.length && x >= 0 && x < runs.length;) {
      const next = box.current?.querySelector<HTMLElement>(`[data-place="${y}/${x}"]`);
      if (next) {
        next.focus();
        break;
      }
      [y, x] = [y + move[0], x + move[1]];
    }
    event.preventDefault();
  };
  const link = (row: number, column: number) => {
    const place = `${row}/${column}`;
    const isHere = at === "" ? row === 0 && column === runs.length - 1 : at === place;
    return { "data-place": place, tabIndex: isHere ? 0 : -1, onFocus: () => setAt(place) };
  };
  return (
    <div class="step-grid-box" onKeyDown={onKeyDown} ref={box}>
      <div
        class="step-grid"
        role="grid"
        aria-label={words.gridLabel}
        style={{ "--runs": String(runs.length) }}
      >
        <div role="row" class="step-row step-head">
          <span role="columnheader">{words.stepColumn}</span>
          <span role="columnheader" class="step-number">{words.usuallyColumn}</span>
          <span role="columnheader" class="step-number spare">{words.longestColumn}</span>
          <span role="columnheader" class="step-number">{words.failedColumn}</span>
          <span role="columnheader" class="step-number">{words.flakyColumn}</span>
          {runs.map((run, column) => {
            const text = words.runAbout(run.metadata.name ?? "", lookOfRun(run).word, durationText(timeOf(run, now)));
            return (
              <span key={keyOf(run)} role="columnheader" class="step-cell">
                <a {...link(0, column)} class="step-run" href={hrefOf(run)} aria-label={text} title={text}>
                  <span
                    class={`strip-bar strip-${lookOfRun(run).family}`}
                    style={{ "--share": String(Math.max(0.06, timeOf(run, now) / longest)) }}
                  />
                </a>
              </span>
            );
          })}
        </div>
        {steps.map((step, row) => (
          <div role="row" class="step-row" key={step.key}>
            <span role="rowheader" class="step-name" title={nameOf(step)}>
              {step.workflow && <span class="muted">{step.workflow} /</span>}
              {step.path}
            </span>
            <span role="gridcell" class="step-number">{text(step.median)}</span>
            <span role="gridcell" class="step-number spare muted">{text(step.longest)}</span>
            <span role="gridcell" class={step.failed ? "step-number phase-failed" : "step-number muted"}>
              {step.failed}
            </span>
            <span role="gridcell" class={step.flaky ? "step-number phase-waits" : "step-number muted"}>
              {step.flaky}
            </span>
            {step.cells.map((cell, column) => (
              <span role="gridcell" class="step-cell" key={keyOf(runs[column]!)}>
                {cell && (
                  <Cell
                    cell={cell}
                    step={step}
                    run={runs[column]!}
                    link={link(row + 1, column)}
                    href={hrefOf(runs[column]!, cell.nodeId)}
                  />
                )}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function Cell({ cell, step, run, link, href }: {
  readonly cell: StepCell;
  readonly step: StepRow;
  readonly run: Workflow;
  readonly link: object;
  readonly href: string;
}) {
  const about = words.cellAbout(nameOf(step), run.metadata.name ?? "", stepWords(cell, text(cell.durationMillis)));
  return (
    <a {...link} class={cell.isFlaky ? "step-link flaky" : "step-link"} href={href} aria-label={about} title={about}>
      <PhaseGlyph look={cell.look} />
      {cell.durationMillis !== undefined && step.longest !== undefined && (
        <span
          class={`step-time strip-${cell.look.family}`}
          style={{ "--share": String(Math.max(0.08, cell.durationMillis / Math.max(1, step.longest))) }}
        />
      )}
    </a>
  );
}

function nameOf({ workflow, path }: StepRow): string {
  return workflow === undefined ? path : `${workflow} / ${path}`;
}

function text(millis: number | undefined): string {
  return millis === undefined ? "" : durationText(millis);
}

function timeOf({ status }: Workflow, now: number): number {
  return elapsedMillis(status?.startedAt, status?.finishedAt, now) ?? 0;
}

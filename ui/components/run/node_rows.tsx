/** The rows of a run's nodes: a treegrid as printed by `tiphys get`, with bars when they are shown over time. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NodeStatus } from "@tiphys/model/api";
import { durationText, elapsedMillis } from "../../model/duration.ts";
import { lookOfNode } from "../../model/node_look.ts";
import { type StageSpan, stagesText } from "../../model/timeline/stages.ts";
import { barOf, coveredPart, ticksOf, type TimeSpan } from "../../model/timeline/timeline.ts";
import type { FanOut } from "../../model/tree/fan_outs.ts";
import type { TreeGridRow } from "../../model/tree/tree_rows.ts";
import * as words from "../../model/text/en/rows_tab.ts";
import * as shared from "../../model/text/en/shared.ts";
import { PhaseGlyph } from "../glyph.tsx";
import { LongName, nameForScreenReaders } from "../long_name.tsx";
import { useExtent } from "./use_extent.ts";

interface Props {
  readonly rows: readonly TreeGridRow[];
  readonly folded: ReadonlySet<string>;
  /** Rows that are groups: a click opens or closes them, and their number of children is shown. */
  readonly fanOuts?: ReadonlyMap<string, FanOut> | undefined;
  readonly selected: string | undefined;
  readonly now: number;
  /** The time range of the bars; without it, there are text columns. */
  readonly window?: TimeSpan | undefined;
  readonly startedAt?: number;
  /** Returns the stages of a node's time, if known. */
  readonly stages?: (node: NodeStatus) => readonly StageSpan[] | undefined;
  readonly marked: ReadonlySet<string>;
  readonly onSelect: (nodeId: string) => void;
  readonly onFold: (nodeId: string) => void;
}

const ROW = 32;
const MARGIN_ROWS = 10;

/** The rows; only visible ones are rendered. */
export function NodeRows(props: Props) {
  const { rows, folded, selected, window, startedAt = 0, onSelect, onFold } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const { height } = useExtent(box, { width: 0, height: 600 });
  const index = selected === undefined ? -1 : rows.findIndex(({ node }) => node.id === selected);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || index < 0) return;
    const place = index * ROW;
    if (place < element.scrollTop) element.scrollTop = place;
    else if (place + 2 * ROW > element.scrollTop + element.clientHeight) {
      element.scrollTop = place + 2 * ROW - element.clientHeight;
    }
  }, [selected]);
  // The column headers leave space for the scrollbar of the rows.
  const bar = box.current ? box.current.offsetWidth - box.current.clientWidth : 0;
  const heads = { "--scrollbar": `${bar}px` };
  const first = Math.max(0, Math.floor(top / ROW) - MARGIN_ROWS);
  const shown = rows.slice(first, Math.ceil((top + height) / ROW) + MARGIN_ROWS);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[index];
    const page = Math.max(1, Math.floor(height / ROW) - 1);
    const next = rowAfter(event.key, { at: index, page, count: rows.length });
    if (next !== undefined) {
      if (rows[next] && next !== index) onSelect(rows[next].node.id);
    } else if (row && event.key === "ArrowRight" && row.hasChildren) {
      if (folded.has(row.node.id)) onFold(row.node.id);
      // The first child of an open row is the next row.
      else if (rows[index + 1]?.level === row.level + 1) onSelect(rows[index + 1]!.node.id);
    } else if (row && event.key === "ArrowLeft") {
      if (row.hasChildren && !folded.has(row.node.id)) onFold(row.node.id);
      else if (row.parent) onSelect(row.parent);
    } else return;
    event.preventDefault();
  };
  return (
    <div class={window ? "rows timeline" : "rows tree"}>
      {window && (
        <div class="axis" aria-hidden="true" style={heads}>
          <span class="axis-name">{words.nodeColumn}</span>
          <span class="axis-time">
            {ticksOf(window, startedAt, 6).filter(({ at }) => at < 0.97).map(({ at, since }) => (
              <span key={since} class="axis-tick" style={{ insetInlineStart: `${at * 100}%` }}>
                {durationText(since)}
              </span>
            ))}
          </span>
        </div>
      )}
      {!window && (
        <div class="axis" aria-hidden="true" style={heads}>
          <span class="axis-name">{words.nodeColumn}</span>
          <span>{words.templateColumn}</span>
          <span>{shared.durationField}</span>
          <span>{shared.messageField}</span>
        </div>
      )}
      <div
        ref={box}
        class="rows-box"
        role="treegrid"
        aria-label={window ? words.timelineLabel : words.treeLabel}
        aria-rowcount={rows.length}
        tabIndex={0}
        aria-activedescendant={index >= first && index < first + shown.length
          ? `row-${rows[index]!.node.id}`
          : undefined}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <div class="rows-all" style={{ blockSize: `${rows.length * ROW}px` }} role="presentation">
          <div style={{ transform: `translateY(${first * ROW}px)` }} role="presentation">
            {shown.map((row, i) => <Row key={row.node.id} {...props} row={row} number={first + i + 1} />)}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Returns the row to which a key moves; undefined for other keys. */
function rowAfter(key: string, { at, page, count }: { at: number; page: number; count: number }): number | undefined {
  switch (key) {
    case "ArrowDown":
    case "j":
      return Math.min(at + 1, count - 1);
    case "ArrowUp":
    case "k":
      return Math.max(at - 1, 0);
    case "PageDown":
      return Math.min(at + page, count - 1);
    case "PageUp":
      return Math.max(at - page, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
  }
}

function Row({ row, number, folded, fanOuts, selected, now, window, marked, stages, onSelect, onFold }: Props & {
  readonly row: TreeGridRow;
  readonly number: number;
}) {
  const { node, level, hasChildren, place, siblings } = row;
  const look = lookOfNode(node);
  const label = node.displayName ?? node.name;
  const fanOut = fanOuts?.get(node.id);
  const took = look.family === "idle" ? undefined : elapsedMillis(node.startedAt, node.finishedAt, now);
  const spans = window && stages?.(node);
  const duration = took === undefined ? "" : durationText(Math.floor(took / 1000) * 1000);
  return (
    <div
      id={`row-${node.id}`}
      role="row"
      class={`node-row${marked.has(node.name) ? " marked" : ""}`}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-rowindex={number}
      aria-selected={node.id === selected}
      aria-expanded={hasChildren ? !folded.has(node.id) : undefined}
      onClick={() => {
        onSelect(node.id);
        if (fanOut) onFold(node.id);
      }}
    >
      <div
        role="gridcell"
        class="node-name"
        aria-label={nameForScreenReaders(label) && words.nodeLabel(look.word, label, fanOut?.count)}
        style={{ paddingInlineStart: `${(level - 1) * 18}px` }}
      >
        <span
          class={`twist${hasChildren ? folded.has(node.id) ? " closed" : " opened" : ""}`}
          aria-hidden="true"
          onClick={(event) => {
            if (!hasChildren) return;
            event.stopPropagation();
            onFold(node.id);
          }}
        />
        <PhaseGlyph look={look} />
        <span class="node-label" title={node.name}>
          <LongName text={label} />
        </span>
        {fanOut && <span class="muted number">{words.fanOut(fanOut.count, fanOut.failed)}</span>}
      </div>
      {window
        ? (
          <div
            role="gridcell"
            class="node-bar"
            aria-label={words.barLabel(look.word, duration, spans && stagesText(spans))}
            title={spans && stagesText(spans)}
          >
            <TimeBar row={row} window={window} now={now} duration={duration} spans={spans} />
          </div>
        )
        : (
          <>
            <div role="gridcell" class="node-template muted" title={templateOf(row)}>{templateOf(row)}</div>
            <div role="gridcell" class="number">{duration}</div>
            <div role="gridcell" class="node-message muted" title={node.message}>{node.message?.split("\n", 1)[0]}</div>
          </>
        )}
    </div>
  );
}

function templateOf({ node: { templateRef, templateName } }: TreeGridRow): string {
  return templateRef ? `${templateRef.name}/${templateRef.template}` : templateName ?? "";
}

function TimeBar({ row, window, now, duration, spans }: {
  readonly row: TreeGridRow;
  readonly window: TimeSpan;
  readonly now: number;
  readonly duration: string;
  readonly spans: readonly StageSpan[] | undefined;
}) {
  const bar = barOf(row.node, window, now);
  if (!bar) return null;
  const { family } = lookOfNode(row.node);
  const end = bar.left + bar.width;
  // Next to a bar over nearly the whole width there is no space: its text is on its end.
  const side = end <= 0.85 ? "after" : bar.left < 0.12 ? "on" : "before";
  return (
    <>
      {spans?.map((span, index) => {
        const part = coveredPart(span, window);
        return part && (
          <span
            key={index}
            class={`time-bar stage-${span.stage} phase-${span.family}${
              bar.isOpen && index === spans.length - 1 ? " open" : ""
            }`}
            style={{
              insetInlineStart: `${part.left * 100}%`,
              inlineSize: `max(${span.stage === "run" ? 3 : 1}px, ${part.width * 100}%)`,
            }}
          />
        );
      })}
      {!spans && (
        <span
          class={`time-bar phase-${family}${bar.isOpen ? " open" : ""}${row.hasChildren ? " holder" : ""}`}
          style={{ insetInlineStart: `${bar.left * 100}%`, inlineSize: `max(3px, ${bar.width * 100}%)` }}
        />
      )}
      <span
        class={`time-text ${side}`}
        style={side === "after"
          ? { insetInlineStart: `${end * 100}%` }
          : { insetInlineEnd: `${(1 - (side === "on" ? end : bar.left)) * 100}%` }}
      >
        {duration}
      </span>
    </>
  );
}

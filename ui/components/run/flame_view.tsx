/** The flame graph of a run: nested spans over time, with keyboard navigation and zoom. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { durationText } from "../../model/duration.ts";
import {
  blocksOf,
  CAUSE_WORDS,
  causesText,
  type Flame,
  type FlameBlock,
  type FlamePlace,
  type FlameSpan,
  placeAfter,
  shareText,
} from "../../model/timeline/flame.ts";
import { coveredPart, ticksOf, type TimeSpan, zoomWindow } from "../../model/timeline/timeline.ts";
import * as words from "../../model/text/en/critical_path.ts";
import { useExtent } from "./use_extent.ts";

interface Props {
  readonly flame: Flame;
  readonly window: TimeSpan;
  /** Called with undefined to show the whole time. */
  readonly onWindow: (window: TimeSpan | undefined) => void;
  /** Called with the key of a part to show its node. */
  readonly onSelect: (key: string) => void;
  /** Returns how much shorter the run would be if a part took no time, in milliseconds; undefined if unknown. */
  readonly gainOf: (key: string) => number | undefined;
}

/** The flame graph with tools, total times of causes, and a line about the current span. */
export function FlameView({ flame, window, onWindow, onSelect, gainOf }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useExtent(box, { width: 1000, height: 0 });
  const [at, setAt] = useState<FlamePlace>({ row: 0, place: 0 });
  const walked = useRef(false);
  useLayoutEffect(() => {
    if (!walked.current) return;
    walked.current = false;
    box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const { rows, sums } = flame;
  // The current span may have disappeared from a running workflow.
  const current = rows[at.row]?.[at.place] ? at : { row: 0, place: 0 };
  const span = rows[current.row]![current.place]!;
  const whole: TimeSpan = flame;
  const gain = span.kind === "part" && current.row > 0 ? gainOf(span.key) : undefined;
  const isWhole = window.to - window.from >= whole.to - whole.from;
  const show = (next: TimeSpan) => onWindow(next.to - next.from >= whole.to - whole.from ? undefined : next);
  const zoomBy = (factor: number) => show(zoomWindow(window, whole, factor, zoomCenterOf(span, window)));
  const go = (next: FlamePlace) => {
    walked.current = true;
    setAt(next);
    const target = rows[next.row]![next.place]!;
    if (target.to <= window.from || target.from >= window.to) show(windowAround(target, window, whole));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = placeAfter(flame, current, event.key);
    if (next) go(next);
    else if (event.key === "+" || event.key === "-") zoomBy(event.key === "+" ? 0.5 : 2);
    else if ((event.key === "0" || event.key === "Escape") && !isWhole) onWindow(undefined);
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="flame">
      <div class="tools">
        <button type="button" class="button" aria-label={words.zoomInButton} onClick={() => zoomBy(0.5)}>+</button>
        <button
          type="button"
          class="button"
          aria-label={words.zoomOutButton}
          disabled={isWhole}
          onClick={() => zoomBy(2)}
        >
          −
        </button>
        <button type="button" class="button" disabled={isWhole} onClick={() => onWindow(undefined)}>
          {words.allButton}
        </button>
        <ul class="stages" aria-label={words.causesLabel}>
          {sums.map(({ cause, millis }) => (
            <li key={cause}>
              <span class={`stage-key cause-${cause}`} aria-hidden="true" />
              {CAUSE_WORDS[cause]} <span class="number">{durationText(millis)}</span>{" "}
              {shareText(millis, whole.to - whole.from)}
            </li>
          ))}
        </ul>
      </div>
      <div
        ref={box}
        class="flame-rows"
        role="group"
        aria-label={words.flameLabel}
        onKeyDown={onKeyDown}
      >
        <div class="flame-axis" aria-hidden="true">
          {ticksOf(window, whole.from, Math.max(2, Math.min(8, Math.floor(width / 90))))
            .filter(({ at }) => at < 0.97).map(({ at, since }) => (
              <span key={since} class="axis-tick" style={{ insetInlineStart: `${at * 100}%` }}>
                {durationText(since)}
              </span>
            ))}
        </div>
        {rows.map((row, depth) => (
          <div key={depth} class="flame-row" role="presentation">
            {blocksOf(row, window, width).map((block) => {
              const isCurrent = depth === current.row && block.first <= current.place && current.place <= block.last;
              return (
                <Block
                  key={block.first}
                  block={block}
                  row={row}
                  window={window}
                  pixels={width}
                  whole={whole}
                  isCurrent={isCurrent}
                  onFocus={() => {
                    if (!isCurrent) setAt({ row: depth, place: block.first });
                  }}
                  onOpen={() => show({ from: row[block.first]!.from, to: row[block.last]!.to })}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p class="flame-about" role="status">
        <b>{span.label}</b> <span class="number">{durationText(span.to - span.from)}</span>{" "}
        <span class="muted">
          {words.spanAbout(
            shareText(span.to - span.from, whole.to - whole.from),
            durationText(span.from - whole.from),
            span.causes.length > 1 ? causesText(span) : "",
            gain === undefined ? undefined : gain > 0 ? durationText(gain) : "",
          )}
        </span>
        {span.kind === "part" && current.row > 0 && (
          <button
            type="button"
            class="link"
            onClick={() => onSelect(span.key)}
          >
            {words.nodeButton}
          </button>
        )}
      </p>
    </div>
  );
}

function Block({ block, row, window, pixels, whole, isCurrent, onFocus, onOpen }: {
  readonly block: FlameBlock;
  readonly row: readonly FlameSpan[];
  readonly window: TimeSpan;
  readonly pixels: number;
  readonly whole: TimeSpan;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
}) {
  const { left, width, first, last } = block;
  const span = row[first]!;
  const count = last - first + 1;
  const share = shareText(row[last]!.to - span.from, whole.to - whole.from);
  const clipped = { from: Math.max(span.from, window.from), to: Math.min(span.to, window.to) };
  return (
    <button
      type="button"
      class={`flame-block phase-${span.family}${span.kind === "between" ? " between" : ""}`}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={count > 1
        ? words.shortSpansLabel(count, share)
        : words.spanLabel(span.label, durationText(span.to - span.from), share)}
      aria-current={isCurrent}
      style={{ insetInlineStart: `${left * 100}%`, inlineSize: `max(2px, calc(${width * 100}% - 1px))` }}
      onFocus={onFocus}
      onClick={onOpen}
    >
      {width * pixels > 28 && (
        <span class="flame-label" aria-hidden="true">
          {count > 1 ? `×${count}` : span.label} <span class="number muted">{durationText(span.to - span.from)}</span>
        </span>
      )}
      {count === 1 && span.kind === "part" && span.causes.map(({ cause, from, to }, index) => {
        const part = coveredPart({ from, to }, clipped);
        return part && part.width > 0 && (
          <span
            key={index}
            class={`flame-cause cause-${cause}`}
            style={{ insetInlineStart: `${part.left * 100}%`, inlineSize: `${part.width * 100}%` }}
          />
        );
      })}
    </button>
  );
}

/** Returns the position about which a window zooms: that of the span, if visible. */
function zoomCenterOf({ from, to }: TimeSpan, window: TimeSpan): number {
  const middle = ((from + to) / 2 - window.from) / (window.to - window.from);
  return middle > 0 && middle < 1 ? middle : 0.5;
}

/** Returns a window of the same length that contains the start of a span. */
function windowAround({ from, to }: TimeSpan, window: TimeSpan, whole: TimeSpan): TimeSpan {
  const length = window.to - window.from;
  const start = Math.min(Math.max(whole.from, (from + to) / 2 - length / 2), whole.to - length);
  return { from: start, to: start + length };
}

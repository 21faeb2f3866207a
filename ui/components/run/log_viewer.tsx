/** The log viewer: rows by number with a scaled scrollbar, so that a million lines scroll like ten. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LogStore } from "../../model/logs/log_store.ts";
import { type JsonField, jsonFields } from "../../model/logs/json_fields.ts";
import type { LogTimes } from "../../model/logs/log_times.ts";
import { rowOfLine } from "../../model/logs/log_rows.ts";
import type { LineFold } from "../../model/logs/folded_lines.ts";
import { levelOf } from "../../model/logs/line_level.ts";
import { plainText } from "../../model/logs/terminal_text.ts";
import * as words from "../../model/text/en/logs_tab.ts";
import { LongName } from "../long_name.tsx";
import { LogText } from "./log_text.tsx";
import { useExtent } from "./use_extent.ts";
import { useLogSelection } from "./use_log_selection.ts";

interface Props {
  readonly store: LogStore;
  /** The number of visible lines: all, or the matches. */
  readonly count: number;
  /** Returns the line number of a row. */
  readonly lineAt: (row: number) => number;
  /** Changes when the store has grown. */
  readonly version: number;
  readonly follow: boolean;
  readonly withTimes: boolean;
  /** Formats times in the selected time zone. */
  readonly times: LogTimes;
  /** Whether long lines are wrapped. */
  readonly isWrapped: boolean;
  readonly isHit: (line: number) => boolean;
  /** The marked line, which is scrolled into view. */
  readonly marked: number | undefined;
  /** The fields that are columns, for lines that are JSON objects. */
  readonly columns: readonly JsonField[];
  /** Returns the fold that contains a line. */
  readonly foldOf: (line: number) => LineFold | undefined;
  /** Called to open or close the fold that starts at a line. */
  readonly onOpen: (line: number) => void;
  readonly nameOf: (source: string) => string;
  readonly hrefOf: (line: number) => string;
  readonly onFollow: (follow: boolean) => void;
}

const ROW = 20;
/** The maximum number of wrapped lines that are rendered completely. */
const MAX_WHOLE = 200;
/** The tallest element, in pixels: browsers clamp taller ones. */
const TALLEST = 8_000_000;
/** The maximum number of characters of a line that are shown, normally and unfolded; the download has all of it. */
const MAX_LINE_LENGTH = 10_000;
const MAX_UNFOLDED_LENGTH = 1 << 20;

export function LogViewer(props: Props) {
  const { store, count, lineAt, version, follow, withTimes, isHit, marked, nameOf, hrefOf, onFollow } = props;
  const { columns, foldOf, times, isWrapped, onOpen } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const extent = useExtent(box, { width: 0, height: 480 });
  // The column headers are above the rows.
  const height = extent.height - (columns.length > 0 ? ROW : 0);
  const full = count * ROW;
  const tall = Math.min(full, TALLEST);
  // Wrapped rows have different heights: few are all rendered, of many those around the scroll position.
  const isWhole = isWrapped && count <= MAX_WHOLE;
  const share = tall > height ? Math.min(1, top / (tall - height)) : 0;
  // The scrollbar is shorter than all rows together: one of its pixels may represent many rows.
  const scale = tall > height ? (full - height) / (tall - height) : 1;
  // While a line has the focus, the log does not follow the end.
  const [isHeld, setHeld] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    // Some browsers send no event when the focused line is removed, for example when another log is shown.
    const holds = isHeld && element?.querySelector(".log-rows :focus");
    if (element && follow && !holds) element.scrollTop = element.scrollHeight;
  }, [version, follow, count, isHeld, extent.height]);
  const middle = share * count;
  const firstRow = isWhole
    ? 0
    : isWrapped
    ? Math.max(0, Math.floor(middle) - Math.ceil(share * height / ROW) - 1)
    : Math.max(0, Math.floor(top * scale / ROW));
  const rows = isWhole ? count : Math.min(
    count - firstRow,
    isWrapped ? Math.floor(middle) - firstRow + Math.ceil((1 - share) * height / ROW) + 2 : Math.ceil(height / ROW) + 2,
  );
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    if (!current || !isWrapped || isWhole) return;
    // The row at the scroll position is at the same relative position in the view.
    const row = current.children[Math.floor(middle) - firstRow] as HTMLElement | undefined;
    const place = row ? row.offsetTop + (middle % 1) * row.offsetHeight : current.offsetHeight;
    current.style.transform = `translateY(${top + share * height - place}px)`;
  });
  /** Scrolls a wrapped row into view. */
  const showRow = (element: HTMLElement, row: number) => {
    if (isWhole) element.querySelectorAll(".log-rows > .log-line")[row]?.scrollIntoView({ block: "nearest" });
    else element.scrollTop = row / count * (tall - height);
  };
  // A growing log stays at the same row: the scrollbar, which shows a share, is moved.
  const reading = useRef({ count, middle });
  useLayoutEffect(() => {
    const { current: before } = reading;
    const isGrown = isWrapped && !isWhole && !follow && before.count !== count && before.count > MAX_WHOLE;
    reading.current = { count, middle: isGrown ? before.middle : middle };
    if (box.current && isGrown) box.current.scrollTop = before.middle / count * (tall - height);
  });
  const markedRow = marked === undefined ? -1 : rowOfLine(marked, count, lineAt);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || markedRow < 0) return;
    if (isWrapped) return showRow(element, markedRow);
    element.scrollTop = Math.max(0, (markedRow * ROW - height / 2) / scale);
    // A marked line that has not arrived yet is scrolled to when it arrives.
  }, [marked, markedRow >= 0, isWrapped, isWhole]);
  const several = store.sources.length > 1;
  // The line numbers are one tab stop: arrows move to the next one, even if it is not rendered yet.
  const [stop, setStop] = useState(0);
  const isGoing = useRef(false);
  const isShown = stop >= firstRow && stop < firstRow + rows;
  const stopRow = isShown ? stop : isWrapped ? firstRow : Math.min(count - 1, Math.ceil(top * scale / ROW));
  useLayoutEffect(() => {
    if (!isGoing.current || !isShown) return;
    isGoing.current = false;
    box.current?.querySelector<HTMLElement>('.log-number[tabindex="0"]')?.focus({ preventScroll: true });
  });
  // One line at a time, because a view full of unfolded lines could not be rendered.
  const [unfolded, setUnfolded] = useState<{ readonly store: LogStore; readonly line: number } | undefined>(undefined);
  const foldAt = (line: number) => {
    const fold = foldOf(line);
    return fold?.from === line ? fold : undefined;
  };
  const copiedAt = (line: number) => times.convertTime(plainText(store.text(line)));
  // Folded lines are copied, too.
  const textOf = (line: number) => {
    const fold = foldAt(line);
    if (!fold || rowOfLine(line + 1, count, lineAt) >= 0) return copiedAt(line);
    return Array.from({ length: fold.to - line }, (_, i) => copiedAt(line + i)).join("\n");
  };
  const selectAll = useLogSelection(box, { count, lineAt, textOf });
  const goToRow = (row: number) => {
    const element = box.current;
    if (!element) return;
    const next = Math.max(0, Math.min(count - 1, row));
    const top = next * ROW;
    if (isWrapped) showRow(element, next);
    else if (top < element.scrollTop * scale) element.scrollTop = Math.floor(top / scale);
    else if (top + ROW > element.scrollTop * scale + height) {
      element.scrollTop = Math.ceil((top + ROW - height) / scale);
    }
    // The focused row must not render again: the pending move would take the focus later.
    isGoing.current = next !== stop;
    setStop(next);
  };
  return (
    <div
      ref={box}
      class={isWrapped ? "log wrapped" : "log"}
      role="log"
      aria-label={words.logLabel}
      aria-live="off"
      tabIndex={0}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        const focused = event.currentTarget.querySelector(".log-rows :focus");
        const first = isWrapped ? stop : Math.max(0, Math.floor(scrollTop * scale / ROW));
        // The focused line leaves the view and its element is removed: the focus stays in the log.
        if (focused && !isGoing.current && (stop < first || stop >= first + rows)) {
          event.currentTarget.focus({ preventScroll: true });
        }
        setTop(scrollTop);
        const isAtEnd = scrollTop + clientHeight >= scrollHeight - 4;
        if (isAtEnd !== follow && (isAtEnd || scrollTop < top)) onFollow(isAtEnd);
      }}
      onKeyDown={(event) => {
        if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          selectAll();
        }
        if (event.key === "End") onFollow(true);
        if (event.key === "Home") onFollow(false);
      }}
    >
      {columns.length > 0 && (
        <div class="log-line log-head" aria-hidden="true">
          <span class="log-number" />
          {withTimes && <span class="log-time">{" ".repeat(TIME_LETTERS)}</span>}
          {several && <span class="log-pod" />}
          {columns.map(({ name, letters }) => (
            <span key={name} class="log-field" style={widthOf(letters)}>{name}</span>
          ))}
        </div>
      )}
      <div class="log-all" style={{ blockSize: isWhole ? "auto" : `${tall}px` }}>
        <div
          ref={list}
          class="log-rows"
          onFocusIn={() => setHeld(true)}
          onFocusOut={(event) => {
            const { relatedTarget } = event;
            if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget))) setHeld(false);
          }}
          style={isWrapped ? undefined : { transform: `translateY(${top - (top * scale % ROW)}px)` }}
        >
          {Array.from({ length: Math.max(0, rows) }, (_, i) => {
            const number = lineAt(firstRow + i);
            const { source, time, text: written } = store.line(number);
            const text = times.convertTime(written);
            const isMarked = number === marked;
            const fold = foldAt(number);
            const isUnfolded = unfolded?.store === store && unfolded.line === number;
            const tabIndex = firstRow + i === stopRow ? 0 : -1;
            return (
              <div
                key={number}
                data-line={number}
                class={`log-line ${levelOf(plainText(text)) ?? ""}${isHit(number) ? " hit" : ""}${
                  isMarked ? " marked" : ""
                }`}
                aria-current={isMarked ? "true" : undefined}
                onFocusIn={() => setStop(firstRow + i)}
              >
                <a
                  class="log-number"
                  href={hrefOf(number + 1)}
                  aria-label={words.lineLabel(number + 1)}
                  tabIndex={tabIndex}
                  onKeyDown={(event) => {
                    const next = rowAfter(event.key, firstRow + i, Math.floor(height / ROW), count);
                    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
                    event.preventDefault();
                    if (next < firstRow + i) onFollow(false);
                    goToRow(next);
                  }}
                >
                  {number + 1}
                </a>
                {withTimes && <span class="log-time" title={time}>{times.clockTime(time)}</span>}
                {several && (
                  <span class={`log-pod pod-${source % 6}`} title={nameOf(store.sources[source] ?? "")}>
                    <LongName text={nameOf(store.sources[source] ?? "")} />
                  </span>
                )}
                <Line text={text} columns={columns} max={isUnfolded ? MAX_UNFOLDED_LENGTH : MAX_LINE_LENGTH}>
                  {text.length > MAX_LINE_LENGTH && (
                    <button
                      type="button"
                      class="log-alike"
                      tabIndex={tabIndex}
                      aria-expanded={isUnfolded}
                      onClick={() => setUnfolded(isUnfolded ? undefined : { store, line: number })}
                    >
                      {words.moreCharactersButton(text.length)}
                    </button>
                  )}
                  {isUnfolded && (
                    <button
                      type="button"
                      class="log-alike log-copy"
                      tabIndex={tabIndex}
                      onClick={() => void navigator.clipboard?.writeText(plainText(text)).catch(() => {})}
                    >
                      {words.copyLineButton}
                    </button>
                  )}
                  {fold && (
                    <button
                      type="button"
                      class="log-alike"
                      tabIndex={tabIndex}
                      aria-expanded={lineAt(firstRow + i + 1) === number + 1}
                      onClick={() => onOpen(number)}
                    >
                      {(fold.kind === "frames" ? words.stackTraceButton : words.similarLinesButton)(
                        fold.to - fold.from,
                      )}
                    </button>
                  )}
                </Line>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Returns the row to which a key moves; undefined for other keys. */
function rowAfter(key: string, row: number, page: number, count: number): number | undefined {
  switch (key) {
    case "ArrowUp":
      return row - 1;
    case "ArrowDown":
      return row + 1;
    case "PageUp":
      return row - page;
    case "PageDown":
      return row + page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
  }
}

/** The length of a time: `12:03:04.112`. */
const TIME_LETTERS = 12;

function widthOf(letters: number): { readonly inlineSize: string } {
  return { inlineSize: `${letters}ch` };
}

/** A line in columns if it has fields, else its text, with a note where it does not shift columns. */
function Line({ text, columns, max, children }: {
  readonly text: string;
  /** The number of characters of a text that are shown. */
  readonly max: number;
  readonly columns: readonly JsonField[];
  readonly children: ComponentChildren;
}) {
  const fields = columns.length > 0 ? jsonFields(text) : undefined;
  if (!fields) {
    return (
      <>
        {children}
        <span class="log-text">
          <LogText text={text} max={max} />
        </span>
      </>
    );
  }
  return (
    <>
      {columns.map(({ name, letters }, index) => {
        const value = fields.get(name) ?? "";
        return (
          <span
            key={name}
            class={`log-field${name === "level" || name === "severity" ? levelClass(value) : ""}`}
            style={index === columns.length - 1 ? undefined : widthOf(letters)}
            title={value}
          >
            <LogText text={value} max={max} />
          </span>
        );
      })}
      {children}
    </>
  );
}

/** The color of an error or warning level. */
function levelClass(level: string): string {
  return /^(err|fatal|crit|panic)/i.test(level) ? " ansi-red" : /^warn/i.test(level) ? " ansi-yellow" : "";
}

/**
 * A selection over the rows of a log. When a row is removed by scrolling, the browser loses that end of the selection.
 * This hook stores both ends, so that all lines in between are copied, and marked again when they reappear.
 */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { copiedText, type LogPoint, type ShownLines } from "../../model/logs/copied_lines.ts";

interface LogRange {
  readonly anchor: LogPoint;
  readonly focus: LogPoint;
}

/** Keeps the selection in a log whose rows have `data-line`; returns a function that selects everything. */
export function useLogSelection(box: RefObject<HTMLElement | null>, shown: ShownLines): () => void {
  const range = useRef<LogRange | undefined>(undefined);
  const isDragging = useRef(false);
  const latest = useRef(shown);
  latest.current = shown;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const left = new AbortController();
    const { signal } = left;
    const rows = () => element.querySelector(".log-rows");
    const note = () => {
      const selection = getSelection();
      const { anchorNode, focusNode } = selection ?? {};
      const within = (node: Node | null | undefined) => node !== null && node !== undefined && element.contains(node);
      if (!selection || !within(anchorNode) || !within(focusNode)) {
        range.current = undefined;
        return;
      }
      const [anchor, focus] = [
        pointOf(selection.anchorNode, selection.anchorOffset),
        pointOf(selection.focusNode, selection.focusOffset),
      ];
      const { current } = range;
      // The anchor stays, even if its row is removed; the focus is the last one that was inside a row.
      if (current) range.current = { anchor: current.anchor, focus: focus ?? current.focus };
      else if (anchor && focus) range.current = { anchor, focus };
    };
    document.addEventListener("selectionchange", note, { signal });
    element.addEventListener("pointerdown", (event) => {
      isDragging.current = true;
      if (!event.shiftKey) range.current = undefined;
    }, { signal });
    addEventListener("pointerup", () => {
      if (!isDragging.current) return;
      isDragging.current = false;
      // The browser may report the change later, when the row is already removed.
      note();
    }, { signal });
    addEventListener("pointercancel", () => isDragging.current = false, { signal });
    document.addEventListener("copy", (event) => {
      const { current } = range;
      const selection = getSelection();
      if (!current || !selection || !rows() || !(event.clipboardData)) return;
      if (isWithinRows(selection, current)) return; // The selection is completely rendered.
      const text = copiedText(current.anchor, current.focus, latest.current);
      if (text === "") return;
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
    }, { signal });
    return () => left.abort();
  }, []);
  const mark = () => {
    const { current } = range;
    const rows = box.current?.querySelector(".log-rows");
    const selection = getSelection();
    if (!current || !rows || !selection || isDragging.current) return;
    if (isWithinRows(selection, current)) return;
    const [anchor, focus] = [boundaryAt(rows, current.anchor), boundaryAt(rows, current.focus)];
    selection.setBaseAndExtent(...anchor, ...focus);
  };
  // Each scroll renders other rows.
  useLayoutEffect(mark);
  return () => {
    const { count, lineAt } = latest.current;
    if (count === 0) return;
    const rows = box.current?.querySelector(".log-rows");
    if (!rows) return;
    range.current = { anchor: { line: lineAt(0) }, focus: { line: lineAt(count - 1) } };
    getSelection()?.setBaseAndExtent(rows, 0, rows, rows.childNodes.length);
  };
}

/** Reports whether both ends of the browser's selection are in their rows. */
function isWithinRows(selection: Selection, { anchor, focus }: LogRange): boolean {
  return pointOf(selection.anchorNode, selection.anchorOffset)?.line === anchor.line &&
    pointOf(selection.focusNode, selection.focusOffset)?.line === focus.line;
}

/** Returns the position in the log of a DOM boundary; undefined outside rows. */
function pointOf(node: Node | null, offset: number): LogPoint | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  const line = Number(element?.closest<HTMLElement>("[data-line]")?.dataset.line ?? NaN);
  if (!node || Number.isNaN(line)) return undefined;
  const text = element?.closest(".log-text");
  if (!text) return { line };
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(node, offset);
  return { line, at: before.toString().length };
}

/** Returns the DOM boundary of a position: in its row, or before or after all rendered rows. */
function boundaryAt(rows: Element, { line, at = 0 }: LogPoint): [node: Node, offset: number] {
  const row = rows.querySelector<HTMLElement>(`[data-line="${line}"]`);
  const text = row?.querySelector(".log-text");
  if (row && !text) return [row, 0];
  if (!text) {
    const first = Number((rows.firstElementChild as HTMLElement | null)?.dataset.line ?? 0);
    return [rows, line < first ? 0 : rows.childNodes.length];
  }
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let rest = at;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.textContent ?? "";
    if (rest <= length) return [node, rest];
    rest -= length;
  }
  return [text, text.childNodes.length];
}

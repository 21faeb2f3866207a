/** The rows of a long table that are near the screen, while the page scrolls. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type RowWindow, rowWindow } from "../model/row_window.ts";

/** The assumed height of a row before one was measured. */
const USUAL_ROW = 33;

/** A window with the height of a row. */
export interface MeasuredWindow extends RowWindow {
  readonly row: number;
}

/** Tracks the rows of a table body near the screen; `row` selects the elements to measure. */
export function useRowWindow(body: RefObject<HTMLElement | null>, count: number, row: string): MeasuredWindow {
  const height = useRef(USUAL_ROW);
  const [window, setWindow] = useState<MeasuredWindow>(() => ({
    ...rowWindow(count, { top: 0, screen: innerHeight, row: USUAL_ROW }),
    row: USUAL_ROW,
  }));
  useLayoutEffect(() => {
    const measure = () => {
      const element = body.current;
      if (!element) return;
      const rows = element.querySelectorAll<HTMLElement>(row);
      // Cards on a small screen differ in height, so the mean is used. Without rows the height stays the same.
      const [first, last] = [rows[0]?.getBoundingClientRect(), rows[rows.length - 1]?.getBoundingClientRect()];
      if (first && last) height.current = (last.bottom - first.top) / rows.length;
      const at = { top: element.getBoundingClientRect().top, screen: innerHeight, row: height.current };
      const next = { ...rowWindow(count, at), row: height.current };
      setWindow((before) => before.from === next.from && before.to === next.to ? before : next);
    };
    measure();
    addEventListener("scroll", measure, { passive: true, capture: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure, { capture: true });
      removeEventListener("resize", measure);
    };
  }, [count, row]);
  return window;
}

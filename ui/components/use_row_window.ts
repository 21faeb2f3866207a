/** The rows of a long table that are near the screen, while the page is scrolled. */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { type RowWindow, rowWindow } from "../model/row_window.ts";

/** The height of a row before one was measured. */
const USUAL_ROW = 33;

/** Follows the rows of a table's body that are near the screen; `row` selects those whose height counts. */
export function useRowWindow(body: RefObject<HTMLElement | null>, count: number, row: string): RowWindow {
  const [window, setWindow] = useState(() => rowWindow(count, { top: 0, screen: innerHeight, row: USUAL_ROW }));
  useLayoutEffect(() => {
    const measure = () => {
      const element = body.current;
      if (!element) return;
      const rows = element.querySelectorAll<HTMLElement>(row);
      // Cards of a small screen differ in height: what counts is their mean.
      const [first, last] = [rows[0]?.getBoundingClientRect(), rows[rows.length - 1]?.getBoundingClientRect()];
      const height = first && last && rows.length > 0 ? (last.bottom - first.top) / rows.length : USUAL_ROW;
      const next = rowWindow(count, { top: element.getBoundingClientRect().top, screen: innerHeight, row: height });
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

/** A row of tabs that may be longer than the screen: the tab that is shown is in view. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Scrolls the row that the reference is given to, whenever another tab is shown. */
export function useTabInView<E extends HTMLElement>(current: string): RefObject<E | null> {
  const row = useRef<E>(null);
  useEffect(() => {
    const { current: shown } = row;
    const tab = shown?.querySelector<HTMLElement>('[aria-selected="true"], [aria-current]');
    if (shown && tab) shown.scrollLeft = tab.offsetLeft - shown.offsetLeft - shown.clientWidth / 2 + 40;
  }, [current]);
  return row;
}

/** Keeps the current tab visible in a tab list that may be wider than the screen. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Scrolls the tab list of the ref whenever the current tab changes. */
export function useTabInView<E extends HTMLElement>(current: string): RefObject<E | null> {
  const row = useRef<E>(null);
  useEffect(() => {
    const { current: shown } = row;
    const tab = shown?.querySelector<HTMLElement>('[aria-selected="true"], [aria-current]');
    if (shown && tab) shown.scrollLeft = tab.offsetLeft - shown.offsetLeft - shown.clientWidth / 2 + 40;
  }, [current]);
  return row;
}

/** Keys to move along the rows of a list, to select rows, and to show details. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Action } from "../actions.ts";
import * as words from "../model/text/en/runs_page.ts";

interface RowKeys {
  /** The keys of the rows, in order; rows near the screen are elements with `data-key`. */
  readonly keys: readonly string[];
  readonly onSelect: (key: string) => void;
  readonly onPeek: (key: string) => void;
}

/**
 * Returns actions on the row that has or last had the focus. The actions stay the same objects while the list changes.
 * If that row is no longer rendered, movement continues at the first visible one.
 */
export function useRowKeys(rows: RowKeys): readonly Action[] {
  const latest = useRef(rows);
  latest.current = rows;
  const last = useRef<string | undefined>(undefined);
  const focused = useRef<string | undefined>(undefined);
  const actions = useRef<readonly Action[]>([]);
  const here = () => {
    const key = keyOfRow(document.activeElement) ?? last.current;
    return key !== undefined && latest.current.keys.includes(key) ? key : undefined;
  };
  const step = (by: 1 | -1) => {
    const { keys } = latest.current;
    const index = keys.indexOf(here() ?? "");
    const next = index < 0 ? undefined : keys[Math.min(keys.length - 1, Math.max(0, index + by))];
    const row = (next === undefined ? undefined : rowOf(next)) ?? firstInView();
    last.current = row?.getAttribute("data-key") ?? undefined;
    row?.querySelector<HTMLElement>(".name a")?.focus();
  };
  const withRow = (act: (key: string) => void) => {
    const key = here();
    if (key !== undefined) act(key);
  };
  if (actions.current.length === 0) {
    const isHere = () => here() !== undefined;
    actions.current = [
      { name: words.nextRunAction, key: "j", run: () => step(1) },
      { name: words.runBeforeAction, key: "k", run: () => step(-1) },
      { name: words.selectRunAction, key: "x", isHere, run: () => withRow((key) => latest.current.onSelect(key)) },
      { name: words.lookAtRunAction, key: " ", isHere, run: () => withRow((key) => latest.current.onPeek(key)) },
    ];
  }
  useLayoutEffect(() => {
    // Arrow keys move only when a row has the focus; otherwise they scroll.
    const onKeyDown = (event: KeyboardEvent) => {
      const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (!(event.target instanceof Element) || !event.target.matches("tr[data-key] .name a")) return;
      event.preventDefault();
      step(by);
    };
    // Tracks the focused row; a click elsewhere resets it although nothing takes the focus.
    const onFocus = ({ target }: Event) => {
      focused.current = target instanceof Element ? keyOfRow(target) : undefined;
    };
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("pointerdown", onFocus);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("pointerdown", onFocus);
    };
  }, []);
  const shown = useRef(rows.keys);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = rows.keys;
    const { current: key } = focused;
    if (key === undefined || rows.keys.includes(key) || document.activeElement !== document.body) return;
    // The focused row left the list: the row at its position takes the focus.
    const next = rows.keys[Math.min(Math.max(0, before.indexOf(key)), rows.keys.length - 1)];
    if (next !== undefined) rowOf(next)?.querySelector<HTMLElement>(".name a")?.focus({ preventScroll: true });
  });
  return actions.current;
}

function keyOfRow(element: Element | null): string | undefined {
  return element?.closest("tr[data-key]")?.getAttribute("data-key") ?? undefined;
}

function rowOf(key: string): Element | undefined {
  return allRows().find((row) => row.getAttribute("data-key") === key);
}

function firstInView(): Element | undefined {
  return allRows().find((row) => row.getBoundingClientRect().top >= 0);
}

function allRows(): Element[] {
  return [...document.querySelectorAll("tr[data-key]")];
}

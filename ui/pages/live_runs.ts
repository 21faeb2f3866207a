/** The live list of runs of an address: one page of the list, and its changes. */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { keepUpdated, type LiveState } from "../api/live.ts";
import type { Change } from "../api/source.ts";
import { useApp } from "../app.ts";
import type { Query } from "../model/place.ts";
import { firstRowToLoad, LOADED_ROWS, MAX_ROWS, type RowRange } from "../model/row_window.ts";
import { applyChanges, insertHeldRuns, rowsOf, type RunRows } from "../model/run_list.ts";
import { runQueryOf, windowOf } from "../model/run_query.ts";
import { trackPending } from "../settled.ts";
import { useWhileShown } from "./hooks.ts";

/** The time for which scrolling must stop before rows are loaded. */
const REST_MILLIS = 80;

/** Returns the length of a continuous list, without rows that are held back. */
export function lengthOf({ total, held }: RunRows): number {
  return Math.min(MAX_ROWS, Math.max(0, total - held.length));
}

/** Rows, and whether they are up to date. */
export interface LiveRuns {
  readonly rows: Signal<RunRows | undefined>;
  readonly state: Signal<LiveState>;
  /** Requests the list again. */
  reload(): void;
  /** Whether the list is continuous, of any length: rows near the screen are loaded while scrolling. */
  readonly isWhole: boolean;
  /** Loads the rows of a window of a continuous list, unless they are loaded. */
  loadWindow(window: RowRange): void;
  /** Shows runs that arrived while the list was scrolled. */
  showHeldRuns(): void;
}

/** Watches the runs of an address while the page is shown. */
export function useLiveRuns(namespace: string, query: Query): LiveRuns {
  const { source } = useApp();
  const rows = useSignal<RunRows | undefined>(undefined);
  const state = useSignal<LiveState>({ kind: "connecting" });
  const round = useSignal(0);
  const runQuery = runQueryOf(namespace, query);
  const asked = windowOf(query);
  const isWhole = asked.limit === 0;
  const key = JSON.stringify([runQuery, asked]);
  const first = useSignal({ key, offset: 0 });
  const window = isWhole
    ? { ...asked, offset: first.value.key === key ? first.value.offset : 0, limit: LOADED_ROWS }
    : asked;
  const followed = useRef(key);
  useWhileShown((signal) => {
    // Loading other rows of the same list does not change its live state.
    let isSame = followed.current === key && state.value.kind === "live";
    followed.current = key;
    const waiting = trackPending();
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    void keepUpdated<Change<Workflow>>({
      async list() {
        const list = await source.listRuns(runQuery, window, signal);
        // All rows there have disappeared.
        if (isWhole && list.items.length === 0 && window.offset > 0) first.value = { key, offset: 0 };
        rows.value = rowsOf(list, window, Date.now());
        waiting[Symbol.dispose]();
        return list.resourceVersion;
      },
      watch: (from, both, watcher) => source.watchRuns(runQuery, from, both, watcher),
      apply(changes) {
        if (!rows.value) return;
        const before = { ...rows.value, loadedAt: Date.now() };
        const after = applyChanges(before, changes, runQuery, isScrolled() ? "held" : "shown");
        if (after !== before) rows.value = after;
      },
      tell(next) {
        if (isSame && next.kind === "connecting") return;
        isSame = false;
        state.value = next;
        if (next.kind === "refused" || next.kind === "offline") waiting[Symbol.dispose]();
      },
    }, signal);
  }, [JSON.stringify([runQuery, window]), round.value]);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const loadWindow = (seen: RowRange) => {
    clearTimeout(pause.current);
    const { value } = rows;
    if (!isWhole || !value) return;
    const held = { from: window.offset, to: window.offset + LOADED_ROWS };
    const offset = firstRowToLoad(lengthOf(value), seen, held);
    // Dragging the scrollbar passes many rows; only the last ones are loaded.
    if (offset !== undefined) pause.current = setTimeout(() => first.value = { key, offset }, REST_MILLIS);
  };
  const showHeldRuns = () => {
    if (rows.value) rows.value = insertHeldRuns(rows.value);
  };
  useWhileShown((signal) => {
    addEventListener("scroll", () => !isScrolled() && showHeldRuns(), { passive: true, signal });
    signal.addEventListener("abort", () => clearTimeout(pause.current), { once: true });
  }, []);
  return { rows, state, isWhole, loadWindow, reload: () => round.value++, showHeldRuns };
}

/** Reports whether the user reads rows further down, which must not move under the pointer. */
function isScrolled(): boolean {
  return scrollY > 0;
}

/** The runs of an address while they live: the window that is asked for, and each change of it. */
import { type Signal, useSignal } from "@preact/signals";
import type { Workflow } from "../../lib/api/mod.ts";
import { keepLive, type LiveState } from "../api/live.ts";
import type { Change } from "../api/source.ts";
import { useApp } from "../app.ts";
import type { Query } from "../model/place.ts";
import { afterChanges, rowsOf, type RunRows, withHeld } from "../model/run_list.ts";
import { runQueryOf, windowOf } from "../model/run_query.ts";
import { unsettled } from "../settled.ts";
import { useWhileShown } from "./hooks.ts";

/** Rows, and whether they are current. */
export interface LiveRuns {
  readonly rows: Signal<RunRows | undefined>;
  readonly state: Signal<LiveState>;
  /** Lists anew. */
  again(): void;
  /** Puts the runs that came while the list was scrolled among the rows. */
  letIn(): void;
}

/** Follows the runs that an address means as long as the page is shown. */
export function useLiveRuns(namespace: string, query: Query): LiveRuns {
  const { source } = useApp();
  const rows = useSignal<RunRows | undefined>(undefined);
  const state = useSignal<LiveState>({ kind: "connecting" });
  const round = useSignal(0);
  const runQuery = runQueryOf(namespace, query);
  const window = windowOf(query);
  useWhileShown((signal) => {
    const waiting = unsettled();
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    void keepLive<Change<Workflow>>({
      async list() {
        const list = await source.listRuns(runQuery, window, signal);
        rows.value = rowsOf(list, window, Date.now());
        waiting[Symbol.dispose]();
        return list.resourceVersion;
      },
      watch: (from, both, watcher) => source.watchRuns(runQuery, from, both, watcher),
      apply(changes) {
        if (!rows.value) return;
        const before = { ...rows.value, at: Date.now() };
        const after = afterChanges(before, changes, runQuery, isScrolled() ? "held" : "shown");
        if (after !== before) rows.value = after;
      },
      tell(next) {
        state.value = next;
        if (next.kind === "refused" || next.kind === "offline") waiting[Symbol.dispose]();
      },
    }, signal);
  }, [JSON.stringify([runQuery, window]), round.value]);
  const letIn = () => {
    if (rows.value) rows.value = withHeld(rows.value);
  };
  useWhileShown((signal) => {
    addEventListener("scroll", () => !isScrolled() && letIn(), { passive: true, signal });
  }, []);
  return { rows, state, again: () => round.value++, letIn };
}

/** Whether somebody looks at rows further down: what stands under their pointer is not to move. */
function isScrolled(): boolean {
  return scrollY > 0;
}

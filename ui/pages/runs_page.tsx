/** The list of runs, live and filtered. */
import { useComputed, useSignal } from "@preact/signals";
import type { Workflow } from "../../lib/api/mod.ts";
import { keepLive, type LiveState } from "../api/live.ts";
import type { Change } from "../api/source.ts";
import { useApp } from "../app.ts";
import { LiveDot } from "../components/live_dot.tsx";
import { RefusalCard } from "../components/refusal_card.tsx";
import { RunTable } from "../components/run_table.tsx";
import { afterChanges, rowsOf, type RunRows } from "../model/run_list.ts";
import { withValues } from "../model/place.ts";
import { chipsOf, readFilter, runQueryOf, windowOf } from "../model/run_query.ts";
import { unsettled } from "../settled.ts";
import { useWhileShown } from "./hooks.ts";

/** The page. */
export function RunsPage({ namespace }: { namespace: string }) {
  const app = useApp();
  const { query } = app.place.value;
  const asked = JSON.stringify([runQueryOf(namespace, query), windowOf(query)]);
  const rows = useSignal<RunRows | undefined>(undefined);
  const state = useSignal<LiveState>({ kind: "connecting" });
  const selected = useSignal<ReadonlySet<string>>(new Set());
  useWhileShown((signal) => {
    const runQuery = runQueryOf(namespace, query);
    const window = windowOf(query);
    const waiting = unsettled();
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    void keepLive<Change<Workflow>>({
      async list() {
        const list = await app.source.listRuns(runQuery, window, signal);
        rows.value = rowsOf(list, window.limit);
        waiting[Symbol.dispose]();
        return list.resourceVersion;
      },
      watch: (from, both, watcher) => app.source.watchRuns(runQuery, from, both, watcher),
      apply(changes) {
        if (rows.value) rows.value = afterChanges(rows.value, changes, runQuery);
      },
      tell(next) {
        state.value = next;
        if (next.kind === "refused" || next.kind === "offline") waiting[Symbol.dispose]();
      },
    }, signal);
  }, [asked]);
  const chips = useComputed(() => chipsOf(app.place.value.query));
  const shown = rows.value;
  const { value: live } = state;
  return (
    <>
      <header class="page-head">
        <h1>Runs</h1>
        {shown && <span class="muted">{shown.total}</span>}
        <LiveDot state={live} now={app.now.value} />
      </header>
      <form
        class="filter"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get("filter") ?? "");
          const values = readFilter(text);
          event.currentTarget.reset();
          app.go({ ...app.place.value, query: withValues(app.place.value.query, { ...values, offset: undefined }) });
        }}
      >
        <input name="filter" aria-label="Filter runs" placeholder="phase:failed  label:team=a  part of a name" />
      </form>
      {chips.value.length > 0 && (
        <ul class="chips" aria-label="Filters">
          {chips.value.map(({ text, without }) => (
            <li key={text}>
              <a class="chip" href={app.hrefOf({ ...app.place.value, query: without })} aria-label={`Remove ${text}`}>
                {text} <span aria-hidden="true">✕</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {live.kind === "refused" && <RefusalCard refusal={live.refusal} login={app.session.login} />}
      {shown && (
        <RunTable
          runs={shown.rows}
          now={app.now.value}
          selected={selected.value}
          withNamespace={namespace === ""}
          hrefOf={({ metadata }) =>
            app.hrefOf({
              page: { kind: "run", namespace: metadata.namespace ?? "", name: metadata.name ?? "" },
              query: metadata.uid ? [["uid", metadata.uid]] : [],
            })}
          onSelect={(keys, isSelected) => {
            const next = new Set(selected.value);
            for (const key of keys) isSelected ? next.add(key) : next.delete(key);
            selected.value = next;
          }}
        />
      )}
    </>
  );
}

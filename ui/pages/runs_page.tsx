/** The list of runs, live and filtered. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { DEFAULT_ORDER, runOrderText } from "@tiphys/model/status";
import { useActions } from "../actions.ts";
import { useApp } from "../app.ts";
import { FilterBar } from "../components/filter_bar.tsx";
import { LinkList } from "../components/link_list.tsx";
import { LiveDot } from "../components/live_dot.tsx";
import { Refused } from "./refused.tsx";
import { RunTable } from "../components/run_table.tsx";
import { plainLinks } from "../model/links.ts";
import { parsePageAddress, type Query, valueOf, withValues } from "../model/place.ts";
import { updateKnownRuns } from "../model/known_runs.ts";
import { keyOf, type RunRows } from "../model/run_list.ts";
import { type ActionsInProgress, dropVisibleActions } from "../model/actions_in_progress.ts";
import { viewAddress, withView } from "../model/saved_views.ts";
import { chosenColumns, columnChoices, columnsOf, toggleColumn } from "../model/run_columns.ts";
import { runColumns, savedViews } from "../settings.ts";
import {
  chipsOf,
  orderChoices,
  orderOf,
  orderOfColumn,
  phaseChoices,
  readFilter,
  runQueryOf,
  USUAL_LIMIT,
  windowOf,
} from "../model/run_query.ts";
import type { RowRequest } from "./bulk_actions.tsx";
import { lengthOf, useLiveRuns } from "./live_runs.ts";
import { NamespaceChoice } from "./namespace_choice.tsx";
import { lazy, lazyDialog } from "./lazy.tsx";
import { useRowKeys } from "./row_keys.ts";
import { grouped } from "../model/text/en.ts";
import * as words from "../model/text/en/runs_page.ts";
import * as shared from "../model/text/en/shared.ts";

const afterList = () => import("./after_list.ts");
const RunDrawer = lazy(async () => (await afterList()).RunDrawer);

const RowMenu = lazy(async () => (await afterList()).RowMenu, () => null);
const NoRuns = lazy(async () => (await afterList()).NoRuns, () => null);
const ColumnMenu = lazy(async () => (await afterList()).ColumnMenu, () => (
  <details class="menu columns">
    <summary class="button">{words.columnsButton}</summary>
  </details>
));
const ViewMenu = lazy(async () => (await afterList()).ViewMenu, () => (
  <details class="menu views">
    <summary class="button">{words.viewsButton}</summary>
  </details>
));
const Activity = lazy(async () => (await afterList()).Activity, () => <div class="activity" />);

// Nothing is selected at first, so this loads after the list; until then the toolbar shows the count only.
const BulkActions = lazy(async () => (await afterList()).BulkActions, ({ selected }) => (
  selected.value.size > 0 && (
    <div class="bulk-place">
      <div class="bulk">
        <strong>{shared.selectedRuns(selected.value.size)}</strong>
        <button type="button" class="button" disabled>{shared.loading}</button>
      </div>
    </div>
  )
));

const SubmitNew = lazyDialog(async () => (await import("./submit_new.tsx")).SubmitNew);

/** The parameter with which Argo's page opens the form for a new run. */
const NEW_RUN = "submit-new-workflow";

export function RunsPage({ namespace }: { namespace: string }) {
  const app = useApp();
  const { query } = app.place.value;
  const { rows, state, isWhole, loadWindow, reload, showHeldRuns } = useLiveRuns(namespace, query);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const acting = useSignal<ActionsInProgress>(new Map());
  const requested = useSignal<RowRequest | undefined>(undefined);
  const runQuery = runQueryOf(namespace, query);
  // Changing the filter resets the selection; changing the page keeps it.
  useEffect(() => {
    selected.value = new Set();
  }, [JSON.stringify(runQuery)]);
  // Another page of the list starts at its top.
  const { offset, limit } = windowOf(query);
  const begun = `${offset} ${limit}`;
  const shownWindow = useRef(begun);
  useEffect(() => {
    if (shownWindow.current !== begun) scrollTo(0, 0);
    shownWindow.current = begun;
  }, [begun]);
  const filter = useRef<HTMLInputElement>(null);
  const go = (next: Query) => app.go({ ...app.place.value, query: next });
  const change = (values: Parameters<typeof withValues>[1]) => go(withValues(app.place.value.query, values));
  const rowKeys = useRowKeys({
    keys: rows.value?.rows.map(keyOf) ?? [],
    onSelect: (key) => {
      const next = new Set(selected.value);
      if (!next.delete(key)) next.add(key);
      selected.value = next;
    },
    onPeek: (key) => {
      const uid = rows.value?.rows.find((run) => keyOf(run) === key)?.metadata.uid;
      if (uid !== undefined) change({ peek: uid === valueOf(app.place.value.query, "peek") ? undefined : uid });
    },
  });
  useActions([
    ...rowKeys,
    { name: words.findRunsAction, key: "/", run: () => filter.current?.focus() },
    { name: words.newRunButton, key: "n", run: () => change({ sidePanel: NEW_RUN }) },
  ], [namespace]);
  const hrefOf = (values: Parameters<typeof withValues>[1]) =>
    app.hrefOf({ ...app.place.value, query: withValues(query, values) });
  const shown = rows.value;
  // Recorded even before the actions are loaded, so that a selected run stays selected on another page.
  const known = useRef<ReadonlyMap<string, Workflow>>(new Map());
  const before = useRef<RunRows | undefined>(undefined);
  if (shown) known.current = updateKnownRuns(known.current, selected.value, before.current, shown);
  before.current = shown;
  useEffect(() => {
    if (shown) acting.value = dropVisibleActions(acting.value, shown.rows);
  }, [shown, acting.value]);
  const { columns: settings } = app.info.value;
  const cols = valueOf(query, "cols") ?? "";
  const chosen = chosenColumns(query, runColumns.value);
  const columns = useMemo(() => columnsOf(settings, chosen), [settings, cols, runColumns.value]);
  const choose = (next: string) => {
    runColumns.value = next;
    // The browser stores the choice, so the address replaces the history entry: Back would restore the old columns.
    app.go({ ...app.place.value, query: withValues(query, { cols: next || undefined }) }, { replace: true });
  };
  // A view contains the visible columns, wherever they were chosen.
  const seen = { ...app.place.value, query: withValues(query, { cols: chosen?.join(",") }) };
  const { value: live } = state;
  const peeked = shown?.rows.find(({ metadata }) => metadata.uid === valueOf(query, "peek"));
  const isFiltered = chipsOf(query).length > 0;
  return (
    <>
      <header class="page-head">
        <h1>{words.heading}</h1>
        <span class="muted number count" data-total={shown?.total}>{shown && grouped(shown.total)}</span>
        <NamespaceChoice />
        <LiveDot state={live} now={app.now.value} />
        <span class="row end">
          <LinkList links={plainLinks(app.info.value.links, "workflow-list")} />
          <a class="button primary" href={hrefOf({ sidePanel: NEW_RUN })}>{words.newRunButton}</a>
        </span>
      </header>
      {app.info.value.extensions?.includes("activity") && <Activity namespace={namespace} total={shown?.total} />}
      <FilterBar
        input={filter}
        phases={phaseChoices(query).map(({ phase, isOn, next }) => ({
          phase,
          isOn,
          href: app.hrefOf({ ...app.place.value, query: next }),
        }))}
        chips={chipsOf(query).map(({ text, full, without }) => ({
          text,
          full,
          href: app.hrefOf({ ...app.place.value, query: without }),
        }))}
        orders={orderChoices(query).map(({ order, text, next }) => ({
          text,
          isOn: runOrderText(order) === runOrderText(orderOf(query)),
          choose: () => go(next),
        }))}
        onFilter={(text) => change({ ...readFilter(text, app.now.peek()), offset: undefined })}
      >
        <ViewMenu
          views={savedViews.value.map(({ name, address }) => ({
            name,
            href: app.hrefOf(parsePageAddress(address)),
            isOn: address === viewAddress(seen),
          }))}
          onSave={(name) => savedViews.value = withView(savedViews.value, name, seen)}
          onRemove={(name) => savedViews.value = savedViews.value.filter((candidate) => candidate.name !== name)}
        />
        <ColumnMenu
          columns={columnChoices(settings, chosen)}
          isUsual={chosen === undefined}
          onColumn={(id, isOn) => choose(toggleColumn(settings, chosen, id, isOn))}
          onUsual={() => choose("")}
        />
      </FilterBar>
      {(live.kind === "refused" || live.kind === "offline" && !shown) && (
        <Refused
          refusal={live.refusal}
          onAgain={reload}
        />
      )}
      {!shown && live.kind !== "refused" && live.kind !== "offline" && <p class="coming">{shared.loading}</p>}
      {shown && shown.rows.length === 0 && live.kind !== "refused" && (shown.total > 0 && offset > 0
        ? (
          <section class="card">
            <h2>{words.noSuchPage(shown.total)}</h2>
            <a class="button" href={hrefOf({ offset: undefined })}>{words.firstWindow}</a>
          </section>
        )
        : <NoRuns isFiltered={isFiltered} namespace={namespace} newRunHref={hrefOf({ sidePanel: NEW_RUN })} />)}
      {shown && shown.held.length > 0 && (
        <button
          type="button"
          class="button new-runs"
          onClick={() => {
            showHeldRuns();
            scrollTo(0, 0);
          }}
        >
          {words.heldRunsButton(shown.held.length)}
        </button>
      )}
      {shown && shown.rows.length > 0 && (
        <div class={live.kind === "offline" ? "with-drawer stale" : "with-drawer"}>
          <RunTable
            runs={shown.rows}
            {...(isWhole
              ? { offset: shown.offset, length: Math.max(lengthOf(shown), shown.offset + shown.rows.length) }
              : {})}
            onWindow={loadWindow}
            now={app.now.value}
            selected={selected.value}
            acting={acting.value}
            withNamespace={namespace === ""}
            columns={columns}
            hrefOf={runHref}
            onLabel={(label) => change({ label: [...labelsOf(query), label], offset: undefined })}
            order={orderOf(query)}
            orderHref={(field) => app.hrefOf({ ...app.place.value, query: orderOfColumn(query, field) })}
            onPeek={(run) => change({ peek: run.metadata.uid === peeked?.metadata.uid ? undefined : run.metadata.uid })}
            RowMenu={RowMenu}
            onAct={(verb, run) => requested.value = { verb, run }}
            onSelect={(keys, isSelected) => {
              const next = new Set(selected.value);
              for (const key of keys) isSelected ? next.add(key) : next.delete(key);
              selected.value = next;
            }}
          />
          {peeked && (
            <RunDrawer
              run={peeked}
              prices={app.info.value.prices}
              href={runHref(peeked)}
              now={app.now.value}
              originHref={({ page }) => app.hrefOf({ page, query: [] })}
              onLabel={(label) => change({ label: [...labelsOf(query), label], offset: undefined })}
              onClose={() => change({ peek: undefined })}
            />
          )}
        </div>
      )}
      {shown && shown.total > shown.rows.length && runOrderText(orderOf(query)) !== runOrderText(DEFAULT_ORDER) &&
        app.info.value.extensions?.includes("sort") === false && <p class="note">{words.sortedWithinWindow}</p>}
      {shown && shown.rows.length > 0 && <Pages total={shown.total} query={query} hrefOf={hrefOf} />}
      {shown && (
        <BulkActions
          shown={shown}
          query={runQuery}
          selected={selected}
          knownRuns={known}
          acting={acting}
          onArchiveChanged={reload}
          requested={requested}
        />
      )}
      {valueOf(query, "sidePanel") === NEW_RUN && (
        <SubmitNew
          namespace={namespace}
          onClose={() => change({ sidePanel: undefined, template: undefined })}
        />
      )}
    </>
  );

  function runHref({ metadata }: Workflow): string {
    return app.hrefOf({
      page: { kind: "run", namespace: metadata.namespace ?? "", name: metadata.name ?? "" },
      query: metadata.uid ? [["uid", metadata.uid]] : [],
    });
  }
}

function labelsOf(query: Query): string[] {
  return query.filter(([name]) => name === "label").map(([, value]) => value);
}

interface PagesProps {
  readonly total: number;
  readonly query: Query;
  readonly hrefOf: (values: Parameters<typeof withValues>[1]) => string;
}

function Pages({ total, query, hrefOf }: PagesProps) {
  const { limit, offset } = windowOf(query);
  if (limit === 0) {
    return total <= USUAL_LIMIT ? null : (
      <nav class="pages" aria-label={words.windowsLabel}>
        <a class="button" href={hrefOf({ limit: undefined, offset: undefined })}>{words.pagesLink(USUAL_LIMIT)}</a>
      </nav>
    );
  }
  if (total <= limit && offset === 0) return null;
  const last = Math.min(total, offset + limit);
  return (
    <nav class="pages" aria-label={words.windowsLabel}>
      {offset > 0 && (
        <a class="button" href={hrefOf({ offset: offset > limit ? String(offset - limit) : undefined })}>
          {words.previousWindow}
        </a>
      )}
      <span class="muted number">{words.windowShown(offset + 1, last, total)}</span>
      {last < total && <a class="button" href={hrefOf({ offset: String(offset + limit) })}>{words.nextWindow}</a>}
      <a class="button plain" href={hrefOf({ limit: "0", offset: undefined })}>{words.oneListLink}</a>
    </nav>
  );
}

/** Parts of the lists of templates and schedules: filters, sortable headers, and the latest runs of each row. */
import { useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { useApp } from "../app.ts";
import { PhaseGlyph } from "../components/glyph.tsx";
import { SortedHead } from "../components/table_parts.tsx";
import {
  type ListChoice,
  type ListSort,
  type ListState,
  queryByColumn,
  queryWithState,
  runsByObject,
  type RunsOfObjects,
} from "../model/object_list.ts";
import { lookOfRun } from "../model/phase.ts";
import { keyOf } from "../model/run_list.ts";
import { withValues } from "../model/place.ts";
import { useAnswer } from "./hooks.ts";
import * as words from "../model/text/en/object_pages.ts";

const STATES: Readonly<Record<ListState, string>> = {
  active: words.active,
  suspended: words.suspendedState,
  stopped: words.stoppedState,
  failing: words.failing,
};

/** The filters, with states if rows have any. */
export function ListFilters({ choice, states = [] }: {
  readonly choice: ListChoice;
  readonly states?: readonly ListState[];
}) {
  const app = useApp();
  const { value: place } = app.place;
  const [label, setLabel] = useState("");
  const go = (values: Parameters<typeof withValues>[1], replace = false) =>
    app.go({ ...app.place.value, query: withValues(app.place.value.query, values) }, { replace });
  return (
    <search class="filters list-filters">
      <input
        type="search"
        aria-label={words.findField}
        placeholder={words.findField}
        value={choice.text}
        onInput={(event) => go({ Contains: event.currentTarget.value || undefined }, true)}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const added = label.trim();
          if (added !== "" && !choice.labels.includes(added)) go({ label: [...choice.labels, added] });
          setLabel("");
        }}
      >
        <input
          aria-label={words.labelField}
          placeholder={words.labelField}
          autocomplete="off"
          value={label}
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </form>
      {states.length > 0 && (
        <ul class="phases" aria-label={words.statesLabel}>
          {states.map((state) => {
            const isOn = choice.states.includes(state);
            return (
              <li key={state}>
                <a
                  class={isOn ? "phase-switch on" : "phase-switch"}
                  href={app.hrefOf({ ...place, query: queryWithState(place.query, state) })}
                  aria-current={isOn ? "true" : undefined}
                >
                  {STATES[state]}
                </a>
              </li>
            );
          })}
        </ul>
      )}
      {choice.labels.length > 0 && (
        <ul class="chips" aria-label={words.chipsLabel}>
          {choice.labels.map((label) => (
            <li key={label}>
              <a
                class="chip"
                href={app.hrefOf({
                  ...place,
                  query: withValues(place.query, { label: choice.labels.filter((other) => other !== label) }),
                })}
                aria-label={words.removeButton(label)}
              >
                {label} <span aria-hidden="true">✕</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** Shown if filters match nothing, with a link to all rows. */
export function NoneFound() {
  const app = useApp();
  const { value: place } = app.place;
  const query = withValues(place.query, { Contains: undefined, label: undefined, state: undefined });
  return (
    <section class="card">
      <h2>{words.noneFound}</h2>
      <a class="button" href={app.hrefOf({ ...place, query })}>{words.showAllButton}</a>
    </section>
  );
}

/** The header of a sortable column. */
export function ListHead({ choice: { sort }, by, word }: {
  readonly choice: ListChoice;
  readonly by: ListSort["by"];
  readonly word: string;
}) {
  const app = useApp();
  const { value: place } = app.place;
  return (
    <SortedHead
      kind={by === "name" ? "name" : "time"}
      word={word}
      direction={sort.by === by ? sort.isDescending ? "descending" : "ascending" : undefined}
      href={app.hrefOf({ ...place, query: queryByColumn(place.query, by) })}
    />
  );
}

/** The maximum number of runs that are read for all rows of a list, in one request. */
const MAX_RUNS = 500;
const NO_RUNS: RunsOfObjects = new Map();

/** Returns the latest runs of the objects of a list, by label; empty until they are loaded. */
export function useLastRuns(namespace: string, label: string, isCluster: boolean): RunsOfObjects {
  const { source } = useApp();
  const { answer: { value } } = useAnswer(
    async (signal) => {
      const { items } = await source.listRuns(
        { namespace, phases: [], labels: [label] },
        { offset: 0, limit: MAX_RUNS },
        signal,
      );
      return runsByObject(items, label, isCluster);
    },
    [namespace, label],
  );
  // Rows omit runs that the user may not read.
  return value.kind === "here" ? value.value : NO_RUNS;
}

const NONE: readonly Workflow[] = [];

/** The latest runs of a row: the state of the newest, and a bar for each, the newest on the right. */
export function RowRuns({ runs = NONE }: { readonly runs?: readonly Workflow[] | undefined }) {
  const app = useApp();
  const [newest] = runs;
  if (!newest) return null;
  return (
    <span class="row-runs">
      <span class="row-strip">
        {runs.toReversed().map((run) => {
          const look = lookOfRun(run);
          const { name = "", namespace = "", uid } = run.metadata;
          return (
            <a
              key={keyOf(run)}
              class={`strip-${look.family}`}
              href={app.hrefOf({ page: { kind: "run", namespace, name }, query: uid ? [["uid", uid]] : [] })}
              aria-label={words.runLabel(name, look.word)}
              title={words.runLabel(name, look.word)}
            />
          );
        })}
      </span>
      <PhaseGlyph look={lookOfRun(newest)} withWord />
    </span>
  );
}
